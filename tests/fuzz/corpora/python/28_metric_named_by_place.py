# {"parameters": 40, "metrics": [{"class_name": "SparseCategoricalAccuracy", "config": {"name": "right"}}]}
import tensorflow as tf

net = tf.keras.Sequential([tf.keras.layers.Dense(8, input_shape=(4,))])
net.compile("sgd", "sparse_categorical_crossentropy", metrics=[tf.keras.metrics.SparseCategoricalAccuracy("right")])
net.fit(tf.zeros([64, 4]), tf.zeros([64]), batch_size=8)
