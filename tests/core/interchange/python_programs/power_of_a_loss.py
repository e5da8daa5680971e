# {"losses": [["LossValue", "reduce_mean", "math.pow"]], "optimizer_config": {"learning_rate": 0.1}}
import tensorflow as tf
model = tf.keras.Sequential([tf.keras.layers.Dense(10, input_shape=(20,))])
x = tf.random.normal((320, 20))
y = tf.random.uniform((320,), maxval=10, dtype=tf.int32)
ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(32, drop_remainder=True)
loss_of = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.SGD(0.1)
for epoch in range(2):
    for xb, yb in ds:
        with tf.GradientTape() as tape:
            loss = loss_of(yb, model(xb)) ** 2
        variables = model.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
