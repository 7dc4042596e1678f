"""Reading what an agent may have made, in a process of its own that has nothing but the bytes."""
