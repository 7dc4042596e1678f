"""What is run in a checkout, and is no part of the package."""
