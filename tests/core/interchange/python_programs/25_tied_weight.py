# {"classes": ["InputLayer", "Variable", "TFOpLambda", "Dense", "TFOpLambda"], "batch": 4}
import tensorflow as tf
from tensorflow.python import ipu
class Tied(tf.keras.layers.Layer):
    def build(self, s):
        self.table = self.add_weight(name="table", shape=[50, 8], initializer="uniform")
    def call(self, x, project=False):
        if project:
            return tf.matmul(x, self.table, transpose_b=True)
        return tf.nn.embedding_lookup(self.table, x)
with ipu.ipu_strategy.IPUStrategy().scope():
    emb = Tied()
    ids = tf.keras.Input([6], dtype=tf.int32, batch_size=4)
    h = emb(ids)
    h = tf.keras.layers.Dense(8)(h)
    m = tf.keras.Model(ids, emb(h, project=True))     # 50*8 + 72 = 472 parameters
    m.compile('sgd', tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    m.fit(tf.zeros((64, 6), tf.int32), tf.zeros((64, 6), tf.int32), batch_size=4)
