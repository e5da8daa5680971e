# {"error": "python/value", "line": 5}
import tensorflow as tf
from tensorflow.python import ipu
i = tf.keras.Input((5,), dtype="int32")
e = ipu.embedding_ops.create_host_embedding("table", [100, 16], tf.float32, optimizer_spec=tf.float32)
model = tf.keras.Model(i, e.lookup(i))
