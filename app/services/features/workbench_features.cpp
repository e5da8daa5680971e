#include "app/services/features/feature_rows.h"

namespace app {

std::vector<Feature> workbenchFeatures() {
    return {
        {"17",
         "Opaque layers with declared shapes and cost",
         "In the window: right click, Add opaque layer; its output shape, parameters and FLOPs are fields of "
         "the Inspector.",
         {R"(run projects/tutorial/4-pipelined-sequential.ipuproj --no-numerics --set 'model={"class_name": "Sequential", "config": {"name": "m", "layers": [{"class_name": "InputLayer", "config": {"name": "in", "batch_input_shape": [null, 784], "dtype": "float32"}}, {"class_name": "MyLayer", "config": {"name": "mine"}}, {"class_name": "Dense", "config": {"name": "out", "units": 10}}]}}' --set 'opaque_layers={"mine": {"output_shape": [null, 784], "parameters": 0, "flops": 784}}' --set 'pipeline.stages=[0,1]' --set training.dataset=null --database runs.sqlite)"}},
        {"22",
         "Manual non-uniform split accepted and validated",
         "",
         {"run projects/tutorial/4-pipelined-sequential.ipuproj --no-numerics --set "
          "pipeline.stages=[0,0,0,0,0,1] --database runs.sqlite"}},
        {"25",
         "Lock layers to stages, then solve the rest",
         "In the window: Ctrl+Shift+K locks the selected layers; Pipeline > Plan for me and Pipeline > "
         "Solve "
         "split… leave them where they are.",
         {"plan projects/tutorial/4-pipelined-sequential.ipuproj --stages 2 --lock dense64=0 "
          "--alternatives "
          "2"}},
        {"26",
         "Stage to IPU mapping, shared weights on one IPU",
         "In the window: Pipeline > System board, then drag a stage to another IPU, or press Ctrl and an "
         "arrow.",
         {"devices projects/tutorial/4-pipelined-sequential.ipuproj"}},
        {"29",
         "Run on an embedded model, without hardware or SDK",
         "",
         {"run projects/tutorial/4-pipelined-sequential.ipuproj --database runs.sqlite"}},
        {"30",
         "Schedules Grouped, Interleaved, Sequential",
         "In the window: choose another schedule above the workspace Schedule, then Apply.",
         {"schedule --stages 2 --micro-batches 4 --schedule Sequential"}},
        {"31",
         "GPipe, 1F1B, interleaved 1F1B, ZB-H1, ZB-H2 and a table of one's own, as what-ifs on the same "
         "costs",
         "In the window: the choice Schedule lists them beside those of the programming system, and Side "
         "by "
         "side draws them all.",
         {"schedule projects/encoder/encoder.ipuproj --all",
          "schedule --stages 4 --micro-batches 8 --schedule ZB-H1",
          "run projects/encoder/encoder.ipuproj --no-numerics --set pipeline.schedule=ZB-H2 --database "
          "runs.sqlite"}},
        {"32",
         "The slots of a schedule as a table to edit and read back: a row per IPU, cells F0 B0 R0 W0",
         "",
         {"schedule --stages 4 --micro-batches 8 --schedule 1F1B --cells -o slots.csv --force",
          "schedule --stages 4 --micro-batches 8 --table slots.csv",
          "export projects/tutorial/4-pipelined-sequential.ipuproj --format schedule-csv"}},
        {"33", "Unequal times per stage from the drawn model", "", {"show last --database runs.sqlite"}},
        {"34",
         "Inter-IPU links and host I/O, exposed time reported",
         "",
         {"show last --database runs.sqlite --json"}},
        {"36",
         "Deterministic: same project and seed, same result",
         "",
         {"run projects/tutorial/4-pipelined-sequential.ipuproj --seed 7 --no-numerics --database "
          "runs.sqlite"}},
        {"37",
         "Sweep over micro-batch × stages × replicas × schedule",
         "Open the page Sweeps of the panel Problems: a double click on a point opens it as the project.",
         {"sweep projects/encoder/shape.sweep.json --database shape.sqlite --force",
          "sweep projects/encoder/shape.sweep.json --database shape.sqlite --resume --csv"}},
        {"38",
         "What does not fit is profiled to the end",
         "In the window: open the example that is too large and run it.",
         {"validate projects/too-large/too-large.ipuproj"}},
        {"39", "Predicted against reference, row by row", "", {"calibrate"}},
        {"53",
         "Where the time of all IPUs goes, as a flame graph",
         "In Flame (Ctrl+Alt+9): by stage, phase, layer, kind of operation or IPU; a double click looks "
         "inside.",
         {"flame last --by layer --database runs.sqlite",
          "render last --view flame --by kind --database runs.sqlite -o flame.svg --force"}},
        {"55",
         "The critical path of a step, by kind, stage and layer, with the slack of all work",
         "In Timeline: the button beside the flows draws it; the page Critical path sums it and says "
         "what "
         "the step takes with each part 10 % faster.",
         {"timeline last --database runs.sqlite", "timeline last --slack --database runs.sqlite --csv"}},
        {"57",
         "Pictures of a view: SVG, PNG, PDF",
         "In the window: the button with the arrow in every view.",
         {"render last --database runs.sqlite --view timeline -o timeline.svg"}},
        {"66", "Memory by category", "", {"show last --database runs.sqlite --json"}},
        {"69",
         "Stash of in-flight micro-batches per stage",
         "",
         {R"(sql "SELECT stage, stash_bytes FROM v_stage_summary ORDER BY stage" --database runs.sqlite)"}},
        {"75",
         "Roofline and share of peak of operations, layers and stages",
         "In Roofline (Ctrl+Alt+8): a drag frames points, which restricts the table; a click chooses one "
         "in "
         "every view.",
         {"roofline last --database runs.sqlite",
          "render last --view roofline --by layer --database runs.sqlite -o roofline.svg --force"}},
        {"76",
         "Compare two runs with signed differences, and the step part by part",
         "In Compare: the tab Waterfall leads from one step to the other; Sort by Δ sorts every table.",
         {"compare 1 last --database runs.sqlite"}},
        {"77",
         "Compare more than two runs against a baseline",
         "A point of a sweep is a side, too: page Sweeps of the panel Problems, button Compare.",
         {"compare 1 2 3 --baseline 2 --database runs.sqlite"}},
        {"79",
         "Differences of model, options and stages",
         "",
         {"compare 1 last --database runs.sqlite --json"}},
        {"80",
         "Thresholds with exit codes",
         "",
         {"check projects/tutorial/4-pipelined-sequential.ipuproj --max-peak-fraction 0.9"}},
        {"82",
         "What limits a run in four answers: bottleneck, idling, memory, difference to the run before",
         "Run a project: the strip over the views says it, and a click shows the evidence; the workspace "
         "Summary has it on a page to be printed.",
         {"show last --database runs.sqlite",
          "render last --view summary --database runs.sqlite -o summary.pdf --force"}},
        {"85", "Idle time by cause, per IPU", "", {R"(sql "SELECT * FROM v_idle" --database runs.sqlite)"}},
        {"91",
         "Queries in SQL over runs, with presets, kept beside the runs",
         "In the window: the page Ask of the panel Problems; Ctrl+Enter asks, Keep keeps the query, Show "
         "in "
         "timeline draws an answer with times below the lanes.",
         {R"(sql "SELECT stage, ipu FROM v_stage_summary ORDER BY stage" --database runs.sqlite)"}},
        {"92",
         "Import Keras JSON, .keras and .h5",
         "",
         {"export projects/tutorial/2-single-sequential.ipuproj --format keras-json -o model.json "
          "--force",
          "import model.json -o imported.ipuproj --force"}},
        {"95",
         "Export a Chrome trace that Perfetto reads, and hold a run beside a trace of hardware or "
         "another "
         "program",
         "",
         {"export last --database runs.sqlite --format chrome-trace -o trace.json",
          "compare last --database runs.sqlite --trace trace.json --by category"}},
        {"96",
         "Export a native Perfetto trace: tracks by replica and IPU, order, units, counters, flows",
         "In the window: File > Export > Perfetto trace. Open the file at ui.perfetto.dev.",
         {"export last --database runs.sqlite --format perfetto -o run.perfetto-trace --force",
          "export last --database runs.sqlite --format perfetto --detail operations -o "
          "operations.perfetto-trace "
          "--force"}},
        {"97",
         "Every table as CSV, from the window too",
         "In the window: File > Export > Table of the run.",
         {"export last --database runs.sqlite --format csv --table operations -o operations.csv"}},
        {"98",
         "A project is one file with its whole model, and its runs one SQLite file with public views",
         "",
         {"new mlp -o shared.ipuproj --force", "summary shared.ipuproj",
          "run shared.ipuproj --no-numerics --database shared.sqlite",
          "sql \"SELECT name FROM sqlite_schema WHERE type = 'view' ORDER BY name\" --database "
          "shared.sqlite",
          "sql \"SELECT run, project, samples_per_second, peak_bytes FROM v_run\" --database "
          "shared.sqlite"}},
        {"99",
         "A run as one page of HTML that needs nothing beside itself",
         "",
         {"export last --database runs.sqlite --format html -o report.html --force"}},
        {"100",
         "Run a project from the command line, with the window's engine",
         "",
         {"run projects/tutorial/4-pipelined-sequential.ipuproj --no-numerics --database runs.sqlite "
          "--json"}},
        {"103",
         "Sweep many variations of a project from a file: parallel, in parts, gone on with, merged; what "
         "runs the same programs is only timed again",
         "Open the page Sweeps of the panel Problems: points fill in while a sweep runs; a double click "
         "opens one.",
         {"sweep projects/encoder/schedules.sweep.json --database sweep.sqlite --force",
          "sweep projects/encoder/schedules.sweep.json --database sweep.sqlite --status",
          "render projects/encoder/schedules.sweep.json --view pareto --database sweep.sqlite -o "
          "front.svg "
          "--force",
          "merge sweep.sqlite -o all.sqlite"}},
        {"N5",
         "Stored runs and points by throughput, memory and IPUs, and which no other beats",
         "In Compare: the chart Pareto shows the runs; the page Sweeps of the panel Problems "
         "the points. A click opens one.",
         {"render projects/encoder/shape.sweep.json --view pareto --database shape.sqlite -o pareto.svg "
          "--force",
          R"sql(sql "SELECT run, samples_per_second, peak_bytes, ipus FROM v_run AS a WHERE fits AND NOT EXISTS )sql"
          R"sql((SELECT 1 FROM v_run AS b WHERE b.fits AND b.samples_per_second > a.samples_per_second AND )sql"
          R"sql(b.peak_bytes <= a.peak_bytes AND b.ipus <= a.ipus)" --database runs.sqlite)sql"}},
        {"N13",
         "Thresholds and a baseline in continuous integration, with documented exit codes",
         "",
         {"check projects/encoder/encoder.ipuproj --baseline encoder.baseline.json --update-baseline --force",
          "check projects/encoder/encoder.ipuproj --baseline encoder.baseline.json --tolerance 1% "
          "--max-peak-fraction 0.9 --junit check.xml --github"}},
        {"N15",
         "Measurements of one's own: a target fitted to them, residuals, and an interval for every figure "
         "that "
         "is predicted on it",
         "The header of the window says beside throughput and step what measured figures differ by; its tip "
         "says between which figures they lie. Gauges have thin lines with ends.",
         {"calibrate projects/encoder/measured.csv --fit fitted.json --force",
          "cost matmul m=1024 k=1024 n=1024 --target fitted.json",
          "run projects/encoder/encoder.ipuproj --no-numerics --database encoder.sqlite", "calibrate"}},
        {"N17",
         "Search everything for N IPUs: split, replicas, schedule, micro-batch, accumulation, recomputation, "
         "offloading and memory proportion, with a proof or the gap that is left",
         "In the window: Pipeline > Plan for me.",
         {"plan projects/tutorial/4-pipelined-sequential.ipuproj --ipus 2 --search"},
         "models that fill the memory, such as BERT-Large on 16 IPUs, keep a gap of more than 1 %"},
        {"N18",
         "A sweep becomes an array of jobs on a Slurm cluster by one flag: requeued and killed tasks go on "
         "where "
         "they were, and what they store is merged",
         "",
         {"sweep projects/encoder/schedules.sweep.json --database cluster.sqlite --slurm --array 4 "
          "--dry-run"}},
        {"101",
         "JSON on stdout, diagnostics on stderr, documented exit codes",
         "",
         {"validate projects/resnet50/resnet50.ipuproj --json"}},
        {"104",
         "A stable surface for scripts: versioned JSON, a policy of deprecation, a manual page and "
         "completions",
         "",
         {"devices --ipus 4 --json", "man", "completion bash"}},
        {"102",
         "Progress on a terminal only; --quiet; NO_COLOR",
         "",
         {"validate projects/tutorial/4-pipelined-sequential.ipuproj --quiet"}},
        {"N14",
         "Simulate a stored run again and match it; explain each of its figures",
         "A click on a figure of the Summary, or the page Figures of the panel Problems, explains it.",
         {"run projects/encoder/encoder.ipuproj --no-numerics --database encoder.sqlite",
          "verify last --database encoder.sqlite",
          "explain last samples_per_second --database encoder.sqlite"}},
    };
}

} // namespace app
