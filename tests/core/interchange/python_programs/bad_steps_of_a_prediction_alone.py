# {"error": "failed-precondition/micro-batch-multiple", "line": 13, "says": "use 8 or 12"}
import tensorflow as tf
from tensorflow.python import ipu

"""Pipelined inference only: steps_per_execution 10 with 4 stages."""
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 4
cfg.configure_ipu_system()
with ipu.ipu_strategy.IPUStrategy().scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(64, activation="relu", input_shape=(32,))] +
                                [tf.keras.layers.Dense(64, activation="relu") for _ in range(3)])
    model.set_pipeline_stage_assignment(list(range(4)))
    model.compile(loss="mse", steps_per_execution=10)
    ds = tf.data.Dataset.from_tensors(tf.zeros(32)).repeat(400).batch(4, drop_remainder=True)
    out = model.predict(ds)
    print(out.shape)
