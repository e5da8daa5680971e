# {"config": [2, "kernel_initializer", {"class_name": "VarianceScaling", "config": {"scale": 1.5, "mode": "fan_avg", "seed": 7, "distribution": "truncated_normal"}}]}
import tensorflow as tf

model = tf.keras.Sequential([
    tf.keras.layers.Flatten(input_shape=(4, 2)),
    tf.keras.layers.Dense(3, kernel_initializer=tf.contrib.layers.variance_scaling_initializer(
        factor=1.5, mode="FAN_AVG", uniform=False, seed=7)),
    tf.keras.layers.Dense(3, kernel_initializer=tf.contrib.layers.xavier_initializer(uniform=False)),
])
model.compile("sgd", "mse")
