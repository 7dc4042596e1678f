"""Scripts that serve web sites inside a computer."""
