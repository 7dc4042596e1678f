"""A persistent Python for the agent's code actions: reads code, runs it, says how it went.

State stays.

Code comes NUL-terminated on descriptor 3; for each piece one JSON line {"error": ...} goes out on descriptor 4.
What the code prints goes to standard output and error as usual.
"""

import ast
import json
import os
import sys
import traceback


def execute(source: str, names: "dict[str, object]") -> str:
    """Run one piece of code as a notebook cell.

    The last expression's value is shown. Return the error's name.
    """
    try:
        tree = ast.parse(source, "<action>")
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, "<action>", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "<action>", "eval"), names)
            if value is not None:
                sys.stdout.write(f"{value!r}\n")
    except BaseException as error:  # an agent's code may raise anything, even SystemExit, and must not end the kernel
        trace = error.__traceback__.tb_next if error.__traceback__ else None
        traceback.print_exception(type(error), error, trace)
        return type(error).__name__
    return ""


def main() -> None:
    """Serve until the other end closes."""
    names: dict[str, object] = {"__name__": "__main__"}
    # Programs that the code starts must not inherit the two ends.
    os.set_inheritable(3, False)
    os.set_inheritable(4, False)
    requests = os.fdopen(3, "rb")
    reports = os.fdopen(4, "w", encoding="utf-8")
    pending = b""
    while True:
        try:
            while b"\0" not in pending:
                part = requests.read1(65536)
                if not part:
                    return
                pending += part
            source, pending = pending.split(b"\0", 1)
            error = execute(source.decode(), names)
        except KeyboardInterrupt:
            continue  # it arrived between two pieces of code
        sys.stdout.flush()
        sys.stderr.flush()
        reports.write(json.dumps({"error": error}) + "\n")
        reports.flush()


if __name__ == "__main__":
    main()
