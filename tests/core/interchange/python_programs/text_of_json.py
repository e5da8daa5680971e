# {"config": [1, "units", 4], "optimizer": "Adam"}
import json
import tensorflow as tf
text = json.dumps({"units": 4, "rates": [0.5, 1], "name": None, "on": True})
assert text == '{"units": 4, "rates": [0.5, 1], "name": null, "on": true}'
assert json.dumps([1, {"b": 2, "a": 1}], indent=2, sort_keys=True) == '[\n  1,\n  {\n    "a": 1,\n    "b": 2\n  }\n]'
m = tf.keras.Sequential([tf.keras.layers.Dense(json.loads(text)["units"], input_shape=(8,))])
m.compile("adam", "mse")
