# {"classes": ["InputLayer", "PopnnGRU", "PopnnLSTM"]}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
    i = keras.Input((6, 4))
    x = ipu.keras.layers.GRU(8, return_sequences=True, partials_dtype=tf.float16)(i)
    x = ipu.keras.layers.LSTM(8, dropout=0.5, dropout_seed=(1, 2))(x)
    model = keras.Model(i, x)
