# {"classes": ["InputLayer", "TFOpLambda", "TFOpLambda", "GlobalAveragePooling2D"]}
import tensorflow as tf
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 1; cfg.configure_ipu_system()

with ipu.ipu_strategy.IPUStrategy().scope():
    i = tf.keras.Input((96, 96, 3))
    x = tf.keras.applications.resnet50.preprocess_input(i)
    x = tf.keras.layers.GlobalAveragePooling2D()(x)
    model = tf.keras.Model(i, x)
    model.compile('sgd', 'mse', steps_per_execution=4)
    model.fit(tf.data.Dataset.from_tensors((tf.zeros((96,96,3)), tf.zeros((3,)))).repeat().batch(4, drop_remainder=True), steps_per_epoch=8)

