#include "core/interchange/python/writer/layers/library_classes.h"

#include <algorithm>
#include <array>
#include <span>

namespace core {

namespace {

constexpr std::string_view convolution =
    "filters kernel_size strides padding data_format dilation_rate groups activation use_bias "
    "kernel_initializer bias_initializer kernel_regularizer bias_regularizer activity_regularizer "
    "kernel_constraint bias_constraint";
constexpr std::string_view transposed =
    "filters kernel_size strides padding output_padding data_format dilation_rate activation use_bias "
    "kernel_initializer bias_initializer kernel_regularizer bias_regularizer activity_regularizer "
    "kernel_constraint bias_constraint";
constexpr std::string_view separable =
    "filters kernel_size strides padding data_format dilation_rate depth_multiplier activation use_bias "
    "depthwise_initializer pointwise_initializer bias_initializer depthwise_regularizer "
    "pointwise_regularizer bias_regularizer activity_regularizer depthwise_constraint pointwise_constraint "
    "bias_constraint";
constexpr std::string_view depthwise =
    "kernel_size strides padding depth_multiplier data_format dilation_rate activation use_bias "
    "depthwise_initializer bias_initializer depthwise_regularizer bias_regularizer activity_regularizer "
    "depthwise_constraint bias_constraint";
constexpr std::string_view recurrent =
    "units activation recurrent_activation use_bias kernel_initializer recurrent_initializer "
    "bias_initializer unit_forget_bias kernel_regularizer recurrent_regularizer bias_regularizer "
    "activity_regularizer kernel_constraint recurrent_constraint bias_constraint dropout recurrent_dropout "
    "implementation return_sequences return_state go_backwards stateful unroll time_major";
constexpr std::string_view gated =
    "units activation recurrent_activation use_bias kernel_initializer recurrent_initializer "
    "bias_initializer kernel_regularizer recurrent_regularizer bias_regularizer activity_regularizer "
    "kernel_constraint recurrent_constraint bias_constraint dropout recurrent_dropout implementation "
    "return_sequences return_state go_backwards stateful unroll time_major reset_after";
constexpr std::string_view simple =
    "units activation use_bias kernel_initializer recurrent_initializer bias_initializer "
    "kernel_regularizer recurrent_regularizer bias_regularizer activity_regularizer kernel_constraint "
    "recurrent_constraint bias_constraint dropout recurrent_dropout return_sequences return_state "
    "go_backwards stateful unroll time_major";
constexpr std::string_view cell =
    "units activation use_bias kernel_initializer recurrent_initializer bias_initializer "
    "kernel_regularizer recurrent_regularizer bias_regularizer kernel_constraint recurrent_constraint "
    "bias_constraint dropout recurrent_dropout recurrent_activation implementation unit_forget_bias "
    "reset_after";
constexpr std::string_view convolutionalRecurrent =
    "filters kernel_size strides padding data_format dilation_rate activation recurrent_activation use_bias "
    "kernel_initializer recurrent_initializer bias_initializer unit_forget_bias kernel_regularizer "
    "recurrent_regularizer bias_regularizer activity_regularizer kernel_constraint recurrent_constraint "
    "bias_constraint return_sequences go_backwards stateful dropout recurrent_dropout";
constexpr std::string_view locallyConnected =
    "filters kernel_size strides padding data_format activation use_bias kernel_initializer "
    "bias_initializer kernel_regularizer bias_regularizer activity_regularizer kernel_constraint "
    "bias_constraint implementation";
constexpr std::string_view normalization =
    "axis momentum epsilon center scale beta_initializer gamma_initializer moving_mean_initializer "
    "moving_variance_initializer beta_regularizer gamma_regularizer beta_constraint gamma_constraint renorm "
    "renorm_clipping renorm_momentum";
constexpr std::string_view pooling = "pool_size strides padding data_format";

constexpr std::array kerasClasses = {
    LibraryClass{"Activation", "activation"},
    LibraryClass{"ActivityRegularization", "l1 l2"},
    LibraryClass{"Add", ""},
    LibraryClass{"AdditiveAttention", "use_scale causal dropout"},
    LibraryClass{"AlphaDropout", "rate noise_shape seed"},
    LibraryClass{"Attention", "use_scale causal dropout"},
    LibraryClass{"Average", ""},
    LibraryClass{"AveragePooling1D", pooling},
    LibraryClass{"AveragePooling2D", pooling},
    LibraryClass{"AveragePooling3D", pooling},
    LibraryClass{"BatchNormalization", normalization},
    LibraryClass{"Bidirectional", "layer merge_mode backward_layer"},
    LibraryClass{"Concatenate", "axis"},
    LibraryClass{"Conv1D", convolution, "groups"},
    LibraryClass{"Conv1DTranspose", transposed, "", false},
    LibraryClass{"Conv2D", convolution, "groups"},
    LibraryClass{"Conv2DTranspose", transposed},
    LibraryClass{"Conv3D", convolution, "groups"},
    LibraryClass{"Conv3DTranspose", transposed, "dilation_rate"},
    LibraryClass{"ConvLSTM2D", convolutionalRecurrent},
    LibraryClass{"Cropping1D", "cropping"},
    LibraryClass{"Cropping2D", "cropping data_format"},
    LibraryClass{"Cropping3D", "cropping data_format"},
    LibraryClass{"Dense", "units activation use_bias kernel_initializer bias_initializer kernel_regularizer "
                          "bias_regularizer activity_regularizer kernel_constraint bias_constraint"},
    LibraryClass{"DepthwiseConv2D", depthwise, "dilation_rate"},
    LibraryClass{"Dot", "axes normalize"},
    LibraryClass{"Dropout", "rate noise_shape seed"},
    LibraryClass{"ELU", "alpha"},
    LibraryClass{"Embedding",
                 "input_dim output_dim embeddings_initializer embeddings_regularizer activity_regularizer "
                 "embeddings_constraint mask_zero input_length"},
    LibraryClass{"Flatten", "data_format"},
    LibraryClass{"GRU", gated},
    LibraryClass{"GRUCell", cell},
    LibraryClass{"GaussianDropout", "rate"},
    LibraryClass{"GaussianNoise", "stddev"},
    LibraryClass{"GlobalAveragePooling1D", "data_format"},
    LibraryClass{"GlobalAveragePooling2D", "data_format"},
    LibraryClass{"GlobalAveragePooling3D", "data_format"},
    LibraryClass{"GlobalMaxPooling1D", "data_format"},
    LibraryClass{"GlobalMaxPooling2D", "data_format"},
    LibraryClass{"GlobalMaxPooling3D", "data_format"},
    LibraryClass{"LSTM", recurrent},
    LibraryClass{"LSTMCell", cell},
    LibraryClass{"LayerNormalization", "axis epsilon center scale beta_initializer gamma_initializer "
                                       "beta_regularizer gamma_regularizer beta_constraint gamma_constraint"},
    LibraryClass{"LeakyReLU", "alpha"},
    LibraryClass{"LocallyConnected1D", locallyConnected},
    LibraryClass{"LocallyConnected2D", locallyConnected},
    LibraryClass{"Masking", "mask_value"},
    LibraryClass{"MaxPooling1D", pooling},
    LibraryClass{"MaxPooling2D", pooling},
    LibraryClass{"MaxPooling3D", pooling},
    LibraryClass{"Maximum", ""},
    LibraryClass{"Minimum", ""},
    LibraryClass{"MultiHeadAttention",
                 "num_heads key_dim value_dim dropout use_bias output_shape attention_axes "
                 "kernel_initializer bias_initializer kernel_regularizer bias_regularizer "
                 "activity_regularizer kernel_constraint bias_constraint",
                 "", false},
    LibraryClass{"Multiply", ""},
    LibraryClass{"PReLU", "alpha_initializer alpha_regularizer alpha_constraint shared_axes"},
    LibraryClass{"Permute", "dims"},
    LibraryClass{"RNN", "cell return_sequences return_state go_backwards stateful unroll time_major"},
    LibraryClass{"ReLU", "max_value negative_slope threshold"},
    LibraryClass{"RepeatVector", "n"},
    LibraryClass{"Reshape", "target_shape"},
    LibraryClass{"SeparableConv1D", separable},
    LibraryClass{"SeparableConv2D", separable},
    LibraryClass{"SimpleRNN", simple},
    LibraryClass{"SimpleRNNCell", cell},
    LibraryClass{"Softmax", "axis"},
    LibraryClass{"SpatialDropout1D", "rate"},
    LibraryClass{"SpatialDropout2D", "rate data_format"},
    LibraryClass{"SpatialDropout3D", "rate data_format"},
    LibraryClass{"StackedRNNCells", "cells"},
    LibraryClass{"Subtract", ""},
    LibraryClass{"ThresholdedReLU", "theta"},
    LibraryClass{"TimeDistributed", "layer"},
    LibraryClass{"UpSampling1D", "size"},
    LibraryClass{"UpSampling2D", "size data_format interpolation"},
    LibraryClass{"UpSampling3D", "size data_format"},
    LibraryClass{"ZeroPadding1D", "padding"},
    LibraryClass{"ZeroPadding2D", "padding data_format"},
    LibraryClass{"ZeroPadding3D", "padding data_format"},
};

constexpr std::array ipuClasses = {
    LibraryClass{"Dropout", "rate noise_shape seed"},
    LibraryClass{"Embedding", "input_dim output_dim embeddings_initializer"},
    LibraryClass{"GroupNormalization",
                 "groups channels_axis center scale epsilon beta_initializer gamma_initializer "
                 "strided_channel_grouping"},
    LibraryClass{"InstanceNormalization",
                 "channels_axis center scale epsilon beta_initializer gamma_initializer"},
    LibraryClass{"LayerNormalization", "axis epsilon center scale beta_initializer gamma_initializer"},
    LibraryClass{
        "PopnnGRU",
        "units activation recurrent_activation use_bias kernel_initializer recurrent_initializer "
        "bias_initializer kernel_regularizer recurrent_regularizer bias_regularizer activity_regularizer "
        "kernel_constraint recurrent_constraint bias_constraint dropout dropout_seed recurrent_dropout "
        "implementation return_sequences return_state go_backwards stateful unroll reset_after seed "
        "partials_dtype time_major"},
    LibraryClass{
        "PopnnLSTM",
        "units activation recurrent_activation use_bias kernel_initializer recurrent_initializer "
        "bias_initializer unit_forget_bias kernel_regularizer recurrent_regularizer bias_regularizer "
        "activity_regularizer kernel_constraint recurrent_constraint bias_constraint dropout dropout_seed "
        "recurrent_dropout implementation return_sequences return_state go_backwards stateful unroll "
        "partials_dtype seed time_major"},
    LibraryClass{"RecomputationCheckpoint", ""},
};

const LibraryClass* find(std::span<const LibraryClass> classes, std::string_view className) {
    const auto found = std::ranges::find(classes, className, &LibraryClass::className);
    return found == classes.end() ? nullptr : &*found;
}

} // namespace

bool hasWord(std::string_view words, std::string_view word) {
    while (!words.empty()) {
        const std::size_t end = std::min(words.find(' '), words.size());
        if (words.substr(0, end) == word)
            return true;
        words.remove_prefix(std::min(end + 1, words.size()));
    }
    return false;
}

bool LibraryClass::takes(std::string_view argument, PythonApi api) const {
    return hasWord(arguments, argument) &&
           (api == PythonApi::TensorFlow24 || !hasWord(newerArguments, argument));
}

const LibraryClass* findKerasClass(std::string_view className, PythonApi api) {
    const LibraryClass* found = find(kerasClasses, className);
    return found != nullptr && (api == PythonApi::TensorFlow24 || found->isIn21) ? found : nullptr;
}

const LibraryClass* findIpuClass(std::string_view className) {
    return find(ipuClasses, className);
}

} // namespace core
