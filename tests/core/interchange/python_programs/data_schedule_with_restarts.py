# {"optimizer_config": {"learning_rate": {"class_name": "CosineDecayRestarts", "config": {"initial_learning_rate": 0.1, "first_decay_steps": 100}}}}
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,))])
model.compile(tf.keras.optimizers.SGD(tf.keras.optimizers.schedules.CosineDecayRestarts(0.1, 100)), "mse")
