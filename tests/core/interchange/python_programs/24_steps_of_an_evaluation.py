# {"validation_steps": 30, "steps_per_epoch": 20, "epochs": 2}
import tensorflow as tf
from tensorflow.python import ipu
config = ipu.config.IPUConfig()
config.auto_select_ipus = 1
config.configure_ipu_system()
(x_train, y_train), (x_test, y_test) = tf.keras.datasets.mnist.load_data()
with ipu.ipu_strategy.IPUStrategy().scope():
    model = tf.keras.Sequential([tf.keras.layers.Flatten(input_shape=(28, 28)), tf.keras.layers.Dense(10, 'softmax')])
    model.compile('sgd', 'sparse_categorical_crossentropy', metrics=['accuracy'], steps_per_execution=10)
    train = tf.data.Dataset.from_tensor_slices((x_train / 255., y_train)).batch(32, drop_remainder=True).repeat()
    test = tf.data.Dataset.from_tensor_slices((x_test / 255., y_test)).batch(32, drop_remainder=True)
    model.fit(train, steps_per_epoch=20, epochs=2)
    model.evaluate(test, steps=30)
