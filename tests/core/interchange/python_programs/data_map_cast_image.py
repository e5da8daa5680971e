# {"classes": ["InputLayer", "Conv2D", "Flatten", "Dense"], "input": [null, 28, 28, 1], "steps_per_epoch": 1875, "loss": "SparseCategoricalCrossentropy"}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

(x, y), _ = keras.datasets.mnist.load_data()
def prepare(img, lab):
    img = tf.expand_dims(tf.cast(img, tf.float32) / 255.0, -1)
    return img, tf.cast(lab, tf.int32)
ds = (tf.data.Dataset.from_tensor_slices((x, y)).map(prepare, num_parallel_calls=tf.data.experimental.AUTOTUNE)
      .cache().shuffle(60000).batch(32, drop_remainder=True).prefetch(tf.data.experimental.AUTOTUNE))
print(tf.data.experimental.cardinality(ds).numpy(), ds.element_spec)
with strategy.scope():
    m = keras.Sequential([keras.layers.Conv2D(4, 3), keras.layers.Flatten(), keras.layers.Dense(10)])
    m.compile("sgd", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    m.fit(ds, epochs=1)
    loss = m.evaluate(ds)
    if loss < 0.5:
        print("good")
    preds = m.predict(x[:16])
    print(preds.argmax(axis=1))
