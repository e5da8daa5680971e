"""The package `ipu_workbench`: the examples of its documentation, and what they do not show.

Usage: python_test.py PACKAGES PROJECTS, with the program named by IPU_WORKBENCH.
"""

import doctest
import importlib
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

packages, projects = (Path(argument).resolve() for argument in sys.argv[1:3])
sys.dont_write_bytecode = True
sys.path.insert(0, str(packages))
import ipu_workbench as ipu  # noqa: E402

TUTORIAL = projects / "tutorial" / "4-pipelined-sequential.ipuproj"


class InAFolder(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.database = self.folder / "it's 100 % runs?.sqlite"


class Examples(InAFolder):
    def test_the_documentation_is_true(self):
        (self.folder / "projects").symlink_to(projects)
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        os.chdir(self.folder)
        tried = 0
        names = {**vars(ipu), "runs_file": self.database}
        for module in ("ipu_workbench", *(f"ipu_workbench.{name}" for name in ("_rows", "_program", "_project"))):
            results = doctest.testmod(importlib.import_module(module), extraglobs=names)
            self.assertEqual(results.failed, 0, module)
            tried += results.attempted
        self.assertGreater(tried, 12)


class Projects(InAFolder):
    def test_a_run_says_what_the_program_says(self):
        run = ipu.run(TUTORIAL, {"pipeline.schedule": "Sequential"}, numerics=False, database=self.database)
        self.assertEqual(run["schema"], "ipu-workbench/run")
        self.assertEqual(run.stages.column("stage"), [0, 1])
        self.assertEqual(len(run.memory), run["ipus"])
        (row,) = ipu.runs(self.database)
        self.assertEqual(row["schedule"], "Sequential")
        self.assertAlmostEqual(row["samples_per_second"], run["samples_per_second"])

    def test_settings_leave_the_project_alone(self):
        project = ipu.open_project(TUTORIAL)
        text = TUTORIAL.read_bytes()
        changed = project.set({"name": "1"}).run(numerics=False, database=self.database)
        self.assertEqual(changed["project"], "1")
        self.assertEqual(project.settings, {})
        self.assertEqual(TUTORIAL.read_bytes(), text)

    def test_what_does_not_fit_is_an_answer(self):
        run = ipu.run(projects / "too-large" / "too-large.ipuproj", numerics=False, database=self.database)
        self.assertFalse(run["fits"])

    def test_a_repeated_sweep_simulates_nothing_again(self):
        grid = {"pipeline.schedule": ["Grouped", "Interleaved"], "training.batch_size": [16, 32]}
        project = ipu.open_project(TUTORIAL)
        first = project.sweep(grid, database=self.database)
        self.assertEqual(len(first), 4)
        self.assertEqual(project.sweep(grid, database=self.database), first)
        with ipu.open_database(self.database) as database:
            self.assertEqual([row["done"] for row in database.view("v_sweep")], [4])


class Errors(InAFolder):
    def refusal(self, call, *arguments, **named):
        with self.assertRaises(ipu.WorkbenchError) as caught:
            call(*arguments, **named)
        self.assertTrue(caught.exception.hint)
        return caught.exception

    def test_a_wrong_value_names_its_place(self):
        error = self.refusal(ipu.run, TUTORIAL, {"pipeline.schedule": "Sideways"}, database=self.database)
        self.assertEqual(error.exit_code, 3)
        self.assertIn("pipeline.schedule", error.place)
        self.assertIn("Sideways", str(error))
        self.assertEqual(error.diagnostics[0]["severity"], "error")

    def test_a_missing_file_and_a_foreign_database(self):
        self.assertEqual(self.refusal(ipu.open_project, self.folder / "no.ipuproj").exit_code, 4)
        self.assertEqual(self.refusal(ipu.runs, self.folder / "no.sqlite").code, "database/missing")
        self.assertEqual(self.refusal(ipu.runs, TUTORIAL).code, "database/foreign")

    def test_a_database_is_only_read(self):
        ipu.run(TUTORIAL, numerics=False, database=self.database)
        with ipu.open_database(self.database) as database:
            self.assertIn("readonly", self.refusal(database.rows, "DELETE FROM run").message)
            self.assertEqual(self.refusal(database.view, 'v_run"; --').code, "sql/view")


class Program(InAFolder):
    def setUp(self):
        super().setUp()
        self.before = dict(os.environ)
        self.addCleanup(self.restore)

    def restore(self):
        os.environ.clear()
        os.environ.update(self.before)

    def test_it_is_found_beside_the_installed_package(self):
        library = self.folder / "lib" / "python3" / "dist-packages"
        shutil.copytree(packages / "ipu_workbench", library / "ipu_workbench")
        (self.folder / "bin").mkdir()
        program = self.folder / "bin" / "ipu-workbench"
        program.symlink_to(self.before["IPU_WORKBENCH"])
        del os.environ["IPU_WORKBENCH"]
        os.environ["PATH"] = str(self.folder)
        os.environ["PYTHONPATH"] = str(library)
        script = "import ipu_workbench; print(ipu_workbench.find_program())"
        found = subprocess.run([sys.executable, "-B", "-c", script], capture_output=True, text=True, check=True)
        self.assertEqual(Path(found.stdout.strip()), program)

    def test_without_one_the_error_says_how_to_name_it(self):
        os.environ["IPU_WORKBENCH"] = str(self.folder / "nothing")
        with self.assertRaises(ipu.WorkbenchError) as caught:
            ipu.find_program()
        self.assertEqual(caught.exception.exit_code, 4)


class Frames(unittest.TestCase):
    def test_rows_become_a_frame(self):
        try:
            import pandas  # noqa: F401
        except ImportError:
            self.skipTest("there is no pandas")
        frame = ipu.Rows([{"ipu": 0, "busy": 0.5}]).frame()
        self.assertEqual(list(frame.columns), ["ipu", "busy"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
