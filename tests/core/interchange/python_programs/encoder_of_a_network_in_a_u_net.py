# {"parameters": 6504227, "trainable": 4660323}
"""U-Net on a pretrained encoder (TF tutorial)."""
import numpy as np, tensorflow as tf
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 1; cfg.configure_ipu_system()
def upsample(filters, size):
    r = tf.keras.Sequential()
    r.add(tf.keras.layers.Conv2DTranspose(filters, size, strides=2, padding="same", use_bias=False))
    r.add(tf.keras.layers.BatchNormalization()); r.add(tf.keras.layers.ReLU())
    return r
with ipu.ipu_strategy.IPUStrategy().scope():
    base_model = tf.keras.applications.MobileNetV2(input_shape=[128, 128, 3], include_top=False)
    names = ["block_1_expand_relu", "block_3_expand_relu", "block_6_expand_relu", "block_13_expand_relu", "block_16_project"]
    down = tf.keras.Model(inputs=base_model.input, outputs=[base_model.get_layer(n).output for n in names])
    down.trainable = False
    up = [upsample(512, 3), upsample(256, 3), upsample(128, 3), upsample(64, 3)]
    inputs = tf.keras.layers.Input(shape=[128, 128, 3])
    skips = down(inputs); x = skips[-1]; skips = reversed(skips[:-1])
    for u, skip in zip(up, skips):
        x = u(x)
        x = tf.keras.layers.Concatenate()([x, skip])
    x = tf.keras.layers.Conv2DTranspose(3, 3, strides=2, padding="same")(x)
    model = tf.keras.Model(inputs=inputs, outputs=x)
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(np.zeros((64, 128, 128, 3), np.float32), np.zeros((64, 128, 128, 1), np.int32), batch_size=4)
