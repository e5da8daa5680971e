# {"warning": "python/ignored", "metrics": [{"class_name": "AUC", "config": {"name": "a"}}, {"class_name": "AUC", "config": {"name": "b", "num_thresholds": 50}}, "Precision", "Recall"]}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

with ipu.ipu_strategy.IPUStrategy().scope():
    model = keras.Sequential([keras.layers.Dense(1, input_shape=(8,))])
    model.compile(
        "adam",
        keras.losses.BinaryCrossentropy(from_logits=True),
        metrics=[
            keras.metrics.AUC(from_logits=True, multi_label=True, num_labels=12, name="a"),
            keras.metrics.AUC(50, "PR", summation_method="minoring", name="b"),
            keras.metrics.Precision(class_id=0),
            keras.metrics.Recall(top_k=1),
            keras.metrics.PrecisionAtRecall(0.8),
            keras.metrics.SensitivityAtSpecificity(0.9, num_thresholds=100),
        ],
    )
