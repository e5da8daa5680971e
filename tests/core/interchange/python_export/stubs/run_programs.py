"""Runs programs one after the other with the modules of this folder; says which of them fail, and how."""
import os
import sys
import traceback

MODULES = ("tensorflow", "numpy", "stub_", "api_table")
failed = False
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
for file in sys.argv[1:]:
    for name in [name for name in sys.modules if name.startswith(MODULES)]:
        del sys.modules[name]
    text = open(file, encoding="utf-8").read()
    try:
        exec(compile(text, file, "exec"), {"__name__": "__main__"})
    except Exception:
        failed = True
        sys.stderr.write(text.split("\n", 1)[0] + "\n" + traceback.format_exc(limit=-4))
sys.exit(1 if failed else 0)
