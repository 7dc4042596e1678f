"""What changed inside documents and stores, and what of it nobody asked for."""
