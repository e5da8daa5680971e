# {"config": [1, "embeddings_initializer", {"class_name": "Zeros", "config": {}}], "classes": ["InputLayer", "HostEmbedding", "Flatten", "Dense"]}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu

config = ipu.config.IPUConfig()
config.auto_select_ipus = 1
config.configure_ipu_system()

x_train = np.random.rand(64, 16).astype(np.float32)
y_train = np.random.randint(0, 4, size=(64,)).astype(np.int32)
ds = tf.data.Dataset.from_tensor_slices((x_train, y_train)).batch(8, drop_remainder=True).repeat()
x_train = np.random.randint(0, 50, (64, 16)).astype(np.int32)
ds = tf.data.Dataset.from_tensor_slices((x_train, y_train)).batch(8, drop_remainder=True).repeat()
strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
  inputs = tf.keras.Input(shape=(16,), batch_size=8, dtype=tf.int32)
  x = inputs
  with tf.device('cpu'):
    table = tf.Variable(np.zeros([1000, 16], np.float32))
  emb = ipu.embedding_ops.HostEmbedding('emb', table, optimizer_spec=ipu.embedding_ops.HostEmbeddingOptimizerSpec(0.1))
  x = emb.lookup(x)
  x = tf.keras.layers.Flatten()(x)
  x = tf.keras.layers.Dense(4)(x)
  model = tf.keras.Model(inputs, x)
  model.compile(optimizer=tf.keras.optimizers.SGD(0.01),
                loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                steps_per_execution=8)
  model.fit(ds, epochs=1, steps_per_epoch=8)
