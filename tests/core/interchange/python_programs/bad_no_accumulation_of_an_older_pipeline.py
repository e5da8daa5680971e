# {"error": "value-error/gradient-accumulation-unset", "line": 15, "says": "give ipu.keras.PipelineSequential() gradient_accumulation_count"}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu
opts = ipu.utils.create_ipu_config()
opts = ipu.utils.auto_select_ipus(opts, 2)
ipu.utils.configure_ipu_system(opts)
x = np.random.rand(640, 10).astype("float32")
y = np.random.randint(0, 3, 640).astype("int32")
ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(8, drop_remainder=True).repeat()
strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
    m = ipu.keras.PipelineSequential([[tf.keras.layers.Dense(20)], [tf.keras.layers.Dense(3, activation="softmax")]])
    m.compile(optimizer="sgd", loss="sparse_categorical_crossentropy")
    m.fit(ds, epochs=2, steps_per_epoch=4)
