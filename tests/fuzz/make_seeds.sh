#!/usr/bin/env bash
# Makes the inputs that fuzzing starts from, with the program itself. Usage: IPU_WORKBENCH=PROGRAM make_seeds.sh FOLDER
set -euo pipefail
mkdir -p "$1"
out=$(realpath "$1")
cd "$(dirname "$0")/../.."
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export QT_QPA_PLATFORM=offscreen XDG_RUNTIME_DIR=$work
for target in autosave calibration_cases clipboard datasets edits executable hdf5 images keras_archive \
    keras_json onnx python profile_database profile_rows project saved_model schedule_table settings sweep target \
    traces weights; do
    mkdir -p "$out/$target"
done

find projects -name '*.ipuproj' -size -64k | while read -r file; do
    cp "$file" "$out/project/$(echo "$file" | tr / _)"
done
head -40 simulator/calibration/calibration_cases.jsonl | split -l 1 - "$out/calibration_cases/row"
find tests/core/interchange/python_programs -name "*.py" -size -2k -exec cp {} "$out/python" \;

cd "$work"
"$IPU_WORKBENCH" new mlp inputs=4 hidden=3,3 classes=2 stages=2 -o net.ipuproj > /dev/null
"$IPU_WORKBENCH" run -q net.ipuproj > /dev/null
"$IPU_WORKBENCH" compile -q net.ipuproj -o net.exec > /dev/null
"$IPU_WORKBENCH" export net.ipuproj --format keras-json -o "$out/keras_json/mlp.json"
"$IPU_WORKBENCH" export net.ipuproj --format python -o "$out/python/mlp.py"
"$IPU_WORKBENCH" export net.ipuproj --format schedule-csv -o slots.csv
"$IPU_WORKBENCH" export last --database net.profiles.sqlite --format chrome-trace -o "$out/traces/run.json"
"$IPU_WORKBENCH" export last --database net.profiles.sqlite --format perfetto -o "$out/traces/run.perfetto-trace"
mv net.exec "$out/executable"
"$IPU_WORKBENCH" run -q net.ipuproj --set \
    'training.callbacks=[{"class_name": "ModelCheckpoint", "config": {"filepath": "w.h5", "save_weights_only": true}}]' > /dev/null
cp w.h5 "$out/hdf5/weights.h5"
(printf '{"project_file": "net.ipuproj", "name": "net", "kept": "2026-01-01T00:00:00", "process": "1-2-host", "project": ' &&
    cat net.ipuproj && printf '}') > "$out/autosave/net.autosave"
printf '%s' '{"ipu-workbench-layers": [{"class_name": "Dense", "name": "a", "config": {"units": 3}, "inputs": [{"layer": "x", "output": 0}]},
    {"class_name": "InputLayer", "name": "y", "config": {"batch_input_shape": [null, 3]}, "inputs": []},
    {"class_name": "Add", "name": "b", "config": {}, "inputs": [{"layer": "a", "output": 0}, {"layer": "sum", "output": 0}]}]}' \
    > "$out/clipboard/layers.json"
for start in 0 1 2; do # a project, then three edits of the plan and one of each kind of the model
    printf "\\x0$start" > "$out/edits/$start"
    for edit in '\x03\x00\x02' '\x04\x00\x01\x02' '\x09\x00\x01\x07' $(printf '\\x11\\x%02x\\x01 ' $(seq 0 15)); do
        printf "\\x0$start$edit\x01\x02\x03\x04\x05" > "$out/edits/$start-$(echo "$edit" | tr -d '\\')"
        tail -c +2 "$out/edits/$start-$(echo "$edit" | tr -d '\\')" | head -c 8 >> "$out/edits/$start"
    done
done
for change in 0 1 2 3 4 5; do
    printf "\\x0$change\\x00\\x07\\x00\\x03\\x04\\x00\\x31\\x01\\x04" > "$out/profile_rows/$change"
done
printf 'operation,arguments,measured\nmatmul,m=64 k=64 n=64,1000\n' > "$out/calibration_cases/own.csv"
cp net.profiles.sqlite "$out/profile_database"
python3 - "$root/tests/core/profile/versions" "$out/profile_database" << 'PYTHON'
import pathlib, sqlite3, sys
for text in pathlib.Path(sys.argv[1]).glob("*.sql"):
    made = sqlite3.connect(f"{sys.argv[2]}/{text.stem}.sqlite")
    made.execute("PRAGMA page_size = 512")
    made.executescript(text.read_text())
    made.commit()
    made.execute("VACUUM")
PYTHON
(printf '\1' && cat slots.csv) > "$out/schedule_table/slots"
(printf '\203' && cat slots.csv) > "$out/schedule_table/shared"
printf '%s\n' 'pipeline.schedule=Interleaved' 'ipu_config.allow_recompute=true' 'training.optimizer.config.momentum=0.9' \
    'model.config.layers.0.config.units=7' > "$out/settings/lines"
printf '%s' '{"format": "ipu-workbench-sweep", "version": 1, "project": "net.ipuproj", "grid": {"pipeline.schedule":
["Grouped", "Interleaved"], "training.batch_size": [1, 2]}, "list": [{"pipeline.schedule": "Sequential"}], "random":
{"samples": 4, "seed": 1, "ranges": {"training.batch_size": [1, 8]}}, "where": ["training.batch_size * 2 < 9"]}' \
    > "$out/sweep/all.json"
printf '%s' '{"format": "ipu-workbench-target", "version": 1, "name": "fast", "based_on": "ipu2", "clock_hz": 2.0e9}' \
    > "$out/target/fast.json"
python3 - "$out" << 'PYTHON'
import io, struct, sys, zipfile, zlib
out = sys.argv[1]

def put(name, data):
    with open(f"{out}/{name}", "wb") as file:
        file.write(data)

def npy(kind, shape, data):
    head = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}"
    head += " " * (63 - (10 + len(head)) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + data

def archive(members, method=zipfile.ZIP_STORED):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as made:
        for name, data in members:
            made.writestr(name, data)
    return file.getvalue()

def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

def picture(depth, colour, row):
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 2, 2, depth, colour, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress((b"\0" + row) * 2)) + chunk(b"IEND", b""))

floats = npy("<f4", (2, 4), struct.pack("<8f", *range(8)))
arrays = [("x_train.npy", floats), ("y_train.npy", npy("<i4", (2,), struct.pack("<2i", 1, 2)))]
idx = struct.pack(">IIII", 0x803, 2, 2, 2) + bytes(range(8))
for number, data in enumerate([idx, b"a,b,y\n1,2,3\n4,5e1,\"6\"\n", b"1,2\n3,4\n", floats, archive(arrays), bytes(3073) * 2,
                               b"one two\nthree\n"]):
    put(f"datasets/{number}", bytes([number]) + data)
put("datasets/deflated", b"\x04" + archive(arrays, zipfile.ZIP_DEFLATED))
put("images/grey.png", picture(8, 0, b"\1\2"))
put("images/rgb.png", picture(8, 2, bytes(6)))
put("images/deep.png", picture(16, 6, bytes(16)))
put("images/rgb.ppm", b"P6\n# a comment\n2 1\n255\n" + bytes(6))
put("images/text.pgm", b"P2 2 1 9\n1 2\n")
weights = [("arr_0.npy", floats), ("dense/bias.npy", npy("<f2", (4,), bytes(8)))]
put("weights/arrays.npz", archive(weights))
put("weights/deflated.npz", archive(weights, zipfile.ZIP_DEFLATED))
with open(f"{out}/keras_json/mlp.json", "rb") as file:
    model = file.read()
put("keras_archive/mlp.keras", archive([("config.json", model), ("metadata.json", b"{}")]))

def field(number, value):
    """One field of a protobuf message: text and messages by their length, numbers as they are."""
    if isinstance(value, int):
        tag = number << 3
        return (bytes([tag]) if tag < 128 else bytes([tag & 127 | 128, tag >> 7])) + bytes([value])
    data = value.encode() if isinstance(value, str) else value
    size, extent = b"", len(data)
    while extent > 127:
        size, extent = size + bytes([extent & 127 | 128]), extent >> 7
    return bytes([number << 3 | 2]) + size + bytes([extent]) + data

def value_info(name, *extents):
    shape = b"".join(field(1, field(1, extent)) for extent in extents)
    return field(1, name) + field(2, field(1, field(1, 1) + field(2, shape)))

def graph(*nodes):
    weight = field(1, 2) + field(1, 2) + field(2, 1) + field(8, "w") + field(9, bytes(16))
    made = b"".join(field(1, node) for node in nodes) + field(2, "g") + field(5, weight)
    return field(1, 8) + field(7, made + field(11, value_info("x", 1, 2)) + field(12, value_info("y", 1, 2))) + \
        field(8, field(2, 13))

product = field(1, "x") + field(1, "w") + field(2, "h") + field(4, "MatMul")
put("onnx/product.onnx", graph(product, field(1, "h") + field(2, "y") + field(4, "Relu")))
put("onnx/softmax.onnx",
    graph(field(1, "x") + field(2, "y") + field(4, "Softmax") + field(5, field(1, "axis") + field(3, 1) + field(20, 2))))
root = field(3, "root") + field(4, "_tf_keras_sequential") + field(5, model)
put("saved_model/keras_metadata.pb", field(1, root))
PYTHON
echo "seeds: $(find "$out" -type f | wc -l) files in $out"
