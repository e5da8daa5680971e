# {"callbacks": [{"class_name": "CSVLogger", "config": {"filename": "runs/exp1/log.csv"}}, {"class_name": "ModelCheckpoint", "config": {"save_best_only": false, "filepath": "runs/exp1/mlp_{epoch:02d}.h5"}}, {"class_name": "ModelCheckpoint", "config": {"save_weights_only": true, "filepath": "runs/exp1/weights"}}], "says": "only a run knows"}
import datetime
import os
from pathlib import Path
import tensorflow as tf
RUN = Path("runs") / "exp1"
stamp = datetime.datetime.now().strftime("%Y%m%d")
ds = tf.data.Dataset.from_tensor_slices((tf.zeros([64, 8]), tf.zeros([64, 1]))).batch(16, drop_remainder=True)
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(8,))])
model.compile("sgd", "mse")
model.fit(ds, callbacks=[
    tf.keras.callbacks.CSVLogger(str(RUN / "log.csv")),
    tf.keras.callbacks.ModelCheckpoint(RUN / f"mlp_{{epoch:02d}}.h5", save_best_only=False),
    tf.keras.callbacks.ModelCheckpoint(os.fspath(RUN / "weights"), save_weights_only=True),
    tf.keras.callbacks.CSVLogger(f"runs/{stamp}.csv"),
])
