# {"error": "unimplemented/shared-variable", "line": 27}
import tensorflow as tf
from tensorflow.python import ipu


class Tied(tf.keras.layers.Layer):
    def build(self, s):
        self.table = self.add_weight(name="table", shape=[50, 8], initializer="uniform")

    def call(self, x, project=False):
        if project:
            return tf.matmul(x, self.table, transpose_b=True)
        return tf.nn.embedding_lookup(self.table, x)


cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 2
cfg.configure_ipu_system()
with ipu.ipu_strategy.IPUStrategy().scope():
    emb = Tied()
    ids = tf.keras.Input([6], dtype=tf.int32, batch_size=4)
    with ipu.keras.PipelineStage(0):
        h = emb(ids)
        h = tf.keras.layers.Dense(8)(h)
    with ipu.keras.PipelineStage(1):
        logits = emb(h, project=True)
    m = tf.keras.Model(ids, logits)
    m.set_pipelining_options(gradient_accumulation_steps_per_replica=4)
    m.compile('sgd', tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), steps_per_execution=4)
    m.fit(tf.zeros((64, 6), tf.int32), tf.zeros((64, 6), tf.int32), batch_size=4)
