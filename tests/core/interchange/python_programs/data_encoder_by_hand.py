# {"stages": 4, "accumulation": 32, "layer_count": 100}
# BERT-like encoder written functionally with own attention, 4 stages by name
import tensorflow as tf
from tensorflow.python import ipu
import math
import json
CONFIG = json.loads('{"hidden": 128, "heads": 4, "layers": 4, "ff": 512, "vocab": 30522, "seq": 64, "batch": 4, "ga": 32}')
H, A, S = CONFIG["hidden"], CONFIG["heads"], CONFIG["seq"]
def attention(x, name):
    def split(t):
        t = tf.keras.layers.Reshape((S, A, H // A))(t)
        return tf.keras.layers.Permute((2, 1, 3))(t)
    q = split(tf.keras.layers.Dense(H, name=name + "_q")(x))
    k = split(tf.keras.layers.Dense(H, name=name + "_k")(x))
    v = split(tf.keras.layers.Dense(H, name=name + "_v")(x))
    s = tf.matmul(q, k, transpose_b=True) / math.sqrt(H // A)
    p = tf.nn.softmax(s, axis=-1)
    p = tf.keras.layers.Dropout(0.1)(p)
    c = tf.matmul(p, v)
    c = tf.transpose(c, [0, 2, 1, 3])
    c = tf.reshape(c, [-1, S, H])
    return tf.keras.layers.Dense(H, name=name + "_o")(c)
def layer(x, i):
    a = attention(x, f"layer{i}_attention")
    x = tf.keras.layers.LayerNormalization(epsilon=1e-12, name=f"layer{i}_ln1")(x + a)
    f = tf.keras.layers.Dense(CONFIG["ff"], name=f"layer{i}_ff1")(x)
    f = ipu.ops.nn_ops.gelu(f) if hasattr(ipu.ops.nn_ops, "gelu") else tf.nn.gelu(f)
    f = tf.keras.layers.Dense(H, name=f"layer{i}_ff2")(f)
    return tf.keras.layers.LayerNormalization(epsilon=1e-12, name=f"layer{i}_ln2")(x + f)
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 4
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
    ids = tf.keras.Input((S,), dtype=tf.int32, batch_size=CONFIG["batch"])
    with ipu.keras.PipelineStage(0):
        x = tf.keras.layers.Embedding(CONFIG["vocab"], H, name="embeddings")(ids)
        x = layer(x, 0)
    for i in range(1, CONFIG["layers"]):
        with ipu.keras.PipelineStage(i):
            x = layer(x, i)
    with ipu.keras.PipelineStage(3):
        logits = tf.keras.layers.Dense(2, name="head")(x[:, 0])
    model = tf.keras.Model(ids, logits)
    model.set_pipelining_options(gradient_accumulation_steps_per_replica=CONFIG["ga"], device_mapping=[0, 1, 2, 3])
    model.compile(tf.keras.optimizers.Adam(tf.keras.optimizers.schedules.PolynomialDecay(1e-4, 1000, 0.0)), tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), steps_per_execution=2 * CONFIG["ga"])
    ds = tf.data.Dataset.from_tensor_slices((tf.zeros((8192, S), tf.int32), tf.zeros((8192,), tf.int32))).batch(CONFIG["batch"], drop_remainder=True).repeat()
    model.fit(ds, steps_per_epoch=2048, epochs=1)
