# {"classes": ["InputLayer", "Embedding", "MultiHeadAttention", "LayerNormalization", "LayerNormalization", "Dropout", "Dropout", "TFOpLambda", "Sequential", "TFOpLambda", "MultiHeadAttention", "LayerNormalization", "LayerNormalization", "Dropout", "Dropout", "TFOpLambda", "Sequential", "TFOpLambda", "Dense", "Flatten"], "input": [null, 12]}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

class TransformerBlock(keras.layers.Layer):
    def __init__(self, embed_dim, num_heads, ff_dim, rate=0.1):
        super().__init__()
        self.att = keras.layers.MultiHeadAttention(num_heads=num_heads, key_dim=embed_dim)
        self.ffn = keras.Sequential([keras.layers.Dense(ff_dim, activation="relu"), keras.layers.Dense(embed_dim)])
        self.layernorm1 = keras.layers.LayerNormalization(epsilon=1e-6)
        self.layernorm2 = keras.layers.LayerNormalization(epsilon=1e-6)
        self.dropout1 = keras.layers.Dropout(rate)
        self.dropout2 = keras.layers.Dropout(rate)
    def call(self, inputs, training=None):
        attn_output = self.att(inputs, inputs)
        attn_output = self.dropout1(attn_output, training=training)
        out1 = self.layernorm1(inputs + attn_output)
        ffn_output = self.ffn(out1)
        ffn_output = self.dropout2(ffn_output, training=training)
        return self.layernorm2(out1 + ffn_output)
with strategy.scope():
    i = keras.Input((12,), dtype="int32")
    x = keras.layers.Embedding(100, 8)(i)
    for _ in range(2):
        x = TransformerBlock(8, 2, 16)(x)
    m = keras.Model(i, keras.layers.Dense(2)(keras.layers.Flatten()(x)))
    m.compile("adam", "mse")
