"""Lets `python -m proctor` do what the `proctor` command does."""

from proctor.cli.main import main

if __name__ == "__main__":
    main()
