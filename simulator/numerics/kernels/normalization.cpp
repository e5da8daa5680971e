#include "simulator/numerics/kernels/normalization.h"

#include "simulator/numerics/kernels/functions.h"
#include "simulator/numerics/kernels/kernel_table.h"

namespace simulator::KERNEL_VARIANT {
namespace {

/// Channels that are worked on together; their sums stay in registers and the first cache level.
constexpr std::int64_t stretch = 64;
/// Rows whose sums are formed before they join the total: keeps rounding errors small.
constexpr std::int64_t rowBlock = 128;

using Sums = float[stretch];
constexpr std::int64_t partialRows = NormalizationGradientMap::partialRows;

/// total[j] = sum over rows of term(row, j), for one stretch of channels.
template <class Term>
[[gnu::always_inline]] inline void sumRows(std::int64_t rows, std::int64_t width, Sums& total, Term term) {
    for (float& value : total)
        value = 0;
    for (std::int64_t row = 0; row < rows;) {
        Sums sums = {};
        const std::int64_t stop = smaller(rows, row + rowBlock);
        for (; row < stop; ++row) {
#pragma GCC ivdep
            for (std::int64_t j = 0; j < width; ++j)
                sums[j] += term(row, j);
        }
        for (std::int64_t j = 0; j < width; ++j)
            total[j] += sums[j];
    }
}

template <class Function>
[[gnu::always_inline]] inline void eachRow(std::int64_t rows, std::int64_t width, Function function) {
    for (std::int64_t row = 0; row < rows; ++row) {
#pragma GCC ivdep
        for (std::int64_t j = 0; j < width; ++j)
            function(row, j);
    }
}

/// y = x·scale + shift per channel.
void scaleShiftRows(const float* x, float* y, std::int64_t rows, std::int64_t channels, std::int64_t width,
                    const Sums& scale, const Sums& shift) {
    eachRow(rows, width, [&](std::int64_t row, std::int64_t j) {
        y[row * channels + j] = x[row * channels + j] * scale[j] + shift[j];
    });
}

/// Mean and summed squares of the distances from it, of one stretch of channels; `share` is 1 / rows.
void measure(const NormalizationMap& map, std::int64_t c, std::int64_t width, float share, Sums& mean,
             Sums& squares) {
    const float* x = map.x + c;
    sumRows(map.rows, width, mean,
            [&](std::int64_t row, std::int64_t j) { return x[row * map.channels + j]; });
    for (float& value : mean)
        value *= share;
    sumRows(map.rows, width, squares, [&](std::int64_t row, std::int64_t j) {
        const float centred = x[row * map.channels + j] - mean[j];
        return centred * centred;
    });
}

void batch(const NormalizationMap& map, std::int64_t begin, std::int64_t end) {
    const float share = 1.0F / static_cast<float>(map.rows);
    for (std::int64_t c = begin; c < end; c += stretch) {
        const std::int64_t width = smaller(end - c, stretch);
        Sums mean;
        Sums squares;
        measure(map, c, width, share, mean, squares);
        Sums scale = {};
        Sums shift = {};
        for (std::int64_t j = 0; j < width; ++j) {
            const float inverse = 1.0F / __builtin_sqrtf(squares[j] * share + map.epsilon);
            map.mean[c + j] = mean[j];
            map.inverseDeviation[c + j] = inverse;
            scale[j] = inverse * map.gamma[c + j];
            shift[j] = map.beta[c + j] - mean[j] * scale[j];
        }
        scaleShiftRows(map.x + c, map.y + c, map.rows, map.channels, width, scale, shift);
    }
}

void batchStatistics(const NormalizationMap& map, std::int64_t begin, std::int64_t end) {
    const float share = 1.0F / static_cast<float>(map.rows);
    for (std::int64_t c = begin; c < end; c += stretch) {
        const std::int64_t width = smaller(end - c, stretch);
        Sums mean;
        Sums squares;
        measure(map, c, width, share, mean, squares);
        for (std::int64_t j = 0; j < width; ++j) {
            map.mean[c + j] = mean[j];
            map.inverseDeviation[c + j] = squares[j] * share;
        }
    }
}

void batchMoving(const NormalizationMap& map, std::int64_t begin, std::int64_t end) {
    for (std::int64_t c = begin; c < end; c += stretch) {
        const std::int64_t width = smaller(end - c, stretch);
        Sums scale = {};
        Sums shift = {};
        for (std::int64_t j = 0; j < width; ++j) {
            scale[j] = map.gamma[c + j] / __builtin_sqrtf(map.inverseDeviation[c + j] + map.epsilon);
            shift[j] = map.beta[c + j] - map.mean[c + j] * scale[j];
        }
        scaleShiftRows(map.x + c, map.y + c, map.rows, map.channels, width, scale, shift);
    }
}

/// dgamma and dbeta of one stretch of channels, with the statistics given per channel.
void affineGradients(const NormalizationGradientMap& map, std::int64_t c, std::int64_t width,
                     const Sums& mean, const Sums& inverse, Sums& dgamma, Sums& dbeta) {
    const std::int64_t channels = map.forward.channels;
    const float* x = map.forward.x + c;
    const float* dy = map.dy + c;
    sumRows(map.forward.rows, width, dbeta,
            [&](std::int64_t row, std::int64_t j) { return dy[row * channels + j]; });
    sumRows(map.forward.rows, width, dgamma, [&](std::int64_t row, std::int64_t j) {
        return dy[row * channels + j] * (x[row * channels + j] - mean[j]) * inverse[j];
    });
    for (std::int64_t j = 0; j < width; ++j) {
        map.dgamma[c + j] = dgamma[j];
        map.dbeta[c + j] = dbeta[j];
    }
}

void batchGradientSums(const NormalizationGradientMap& map, std::int64_t begin, std::int64_t end) {
    for (std::int64_t c = begin; c < end; c += stretch) {
        const std::int64_t width = smaller(end - c, stretch);
        Sums mean = {};
        Sums inverse = {};
        for (std::int64_t j = 0; j < width; ++j) {
            mean[j] = map.forward.mean[c + j];
            inverse[j] = map.forward.inverseDeviation[c + j];
        }
        Sums dgamma;
        Sums dbeta;
        affineGradients(map, c, width, mean, inverse, dgamma, dbeta);
    }
}

/// dx = gamma·inverse·(dy − mean(dy) − x̂·mean(dy·x̂))
void batchGradientInput(const NormalizationGradientMap& map, const float* sumScaled, const float* sum,
                        std::int64_t rows, std::int64_t begin, std::int64_t end) {
    const NormalizationMap& forward = map.forward;
    const float share = 1.0F / static_cast<float>(rows);
    for (std::int64_t c = begin; c < end; c += stretch) {
        const std::int64_t width = smaller(end - c, stretch);
        Sums factor = {};
        Sums slope = {};
        Sums offset = {};
        for (std::int64_t j = 0; j < width; ++j) {
            const float inverse = forward.inverseDeviation[c + j];
            factor[j] = forward.gamma[c + j] * inverse;
            slope[j] = -factor[j] * inverse * sumScaled[c + j] * share;
            offset[j] = -factor[j] * sum[c + j] * share - slope[j] * forward.mean[c + j];
        }
        const float* x = forward.x + c;
        const float* dy = map.dy + c;
        float* dx = map.dx + c;
        eachRow(forward.rows, width, [&](std::int64_t row, std::int64_t j) {
            const std::int64_t at = row * forward.channels + j;
            dx[at] = dy[at] * factor[j] + (x[at] * slope[j] + offset[j]);
        });
    }
}

void batchMovingGradient(const NormalizationGradientMap& map, std::int64_t begin, std::int64_t end) {
    const NormalizationMap& forward = map.forward;
    for (std::int64_t c = begin; c < end; c += stretch) {
        const std::int64_t width = smaller(end - c, stretch);
        Sums mean = {};
        Sums inverse = {};
        Sums scale = {};
        for (std::int64_t j = 0; j < width; ++j) {
            mean[j] = forward.mean[c + j];
            inverse[j] = 1.0F / __builtin_sqrtf(forward.inverseDeviation[c + j] + forward.epsilon);
            scale[j] = forward.gamma[c + j] * inverse[j];
        }
        Sums dgamma;
        Sums dbeta;
        affineGradients(map, c, width, mean, inverse, dgamma, dbeta);
        const Sums none = {};
        scaleShiftRows(map.dy + c, map.dx + c, forward.rows, forward.channels, width, scale, none);
    }
}

constexpr int partialSums = 16;

/// Sum of term(i) for i in [0, count), in a fixed order of partial sums.
template <class Term>
[[gnu::always_inline]] inline float sumTerms(std::int64_t count, Term term) {
    float partial[partialSums] = {};
    std::int64_t i = 0;
    for (; i + partialSums <= count; i += partialSums) {
#pragma GCC ivdep
        for (int lane = 0; lane < partialSums; ++lane)
            partial[lane] += term(i + lane);
    }
    for (int lane = 0; i < count; ++i, ++lane)
        partial[lane] += term(i);
    float sum = 0;
    for (int lane = 0; lane < partialSums; ++lane)
        sum += partial[lane];
    return sum;
}

void layer(const NormalizationMap& map, std::int64_t begin, std::int64_t end) {
    const float share = 1.0F / static_cast<float>(map.channels);
    for (std::int64_t row = begin; row < end; ++row) {
        const float* x = map.x + row * map.channels;
        float* y = map.y + row * map.channels;
        const float mean = sumTerms(map.channels, [&](std::int64_t j) { return x[j]; }) * share;
        const float variance =
            sumTerms(map.channels, [&](std::int64_t j) { return (x[j] - mean) * (x[j] - mean); }) * share;
        const float inverse = 1.0F / __builtin_sqrtf(variance + map.epsilon);
        map.mean[row] = mean;
        map.inverseDeviation[row] = inverse;
#pragma GCC ivdep
        for (std::int64_t j = 0; j < map.channels; ++j)
            y[j] = (x[j] - mean) * inverse * map.gamma[j] + map.beta[j];
    }
}

void layerGradient(const NormalizationGradientMap& map, std::int64_t begin, std::int64_t end,
                   std::int64_t block) {
    const NormalizationMap& forward = map.forward;
    const std::int64_t channels = forward.channels;
    const float share = 1.0F / static_cast<float>(channels);
    float* dgamma = map.partial + block * partialRows * channels;
    float* dbeta = dgamma + channels;
    for (std::int64_t j = 0; j < 2 * channels; ++j)
        dgamma[j] = 0;
    for (std::int64_t row = begin; row < end; ++row) {
        const float* x = forward.x + row * channels;
        const float* dy = map.dy + row * channels;
        float* dx = map.dx + row * channels;
        const float mean = forward.mean[row];
        const float inverse = forward.inverseDeviation[row];
        const float direct =
            share * sumTerms(channels, [&](std::int64_t j) { return dy[j] * forward.gamma[j]; });
        const float scaled = share * inverse * sumTerms(channels, [&](std::int64_t j) {
                                 return dy[j] * forward.gamma[j] * (x[j] - mean);
                             });
#pragma GCC ivdep
        for (std::int64_t j = 0; j < channels; ++j) {
            const float normal = (x[j] - mean) * inverse;
            dgamma[j] += dy[j] * normal;
            dbeta[j] += dy[j];
            dx[j] = inverse * (dy[j] * forward.gamma[j] - direct - normal * scaled);
        }
    }
}

std::int64_t groupOf(const NormalizationMap& map, std::int64_t channel) {
    return map.stridedGroups ? channel % map.groups : channel / (map.channels / map.groups);
}

/// out[group] += sum over rows and the group's channels of term(row, channel).
template <class Term>
[[gnu::always_inline]] inline void sumGroups(const NormalizationMap& map, float* out, Term term) {
    for (std::int64_t group = 0; group < map.groups; ++group)
        out[group] = 0;
    for (std::int64_t c = 0; c < map.channels; c += stretch) {
        const std::int64_t width = smaller(map.channels - c, stretch);
        Sums sums;
        sumRows(map.rows, width, sums, [&](std::int64_t row, std::int64_t j) { return term(row, c + j); });
        for (std::int64_t j = 0; j < width; ++j)
            out[groupOf(map, c + j)] += sums[j];
    }
}

void group(const NormalizationMap& map, std::int64_t begin, std::int64_t end) {
    const std::int64_t block = map.rows * map.channels;
    const float share = static_cast<float>(map.groups) / static_cast<float>(block);
    for (std::int64_t sample = begin; sample < end; ++sample) {
        const float* x = map.x + sample * block;
        float* mean = map.mean + sample * map.groups;
        float* inverse = map.inverseDeviation + sample * map.groups;
        sumGroups(map, mean, [&](std::int64_t row, std::int64_t c) { return x[row * map.channels + c]; });
        for (std::int64_t g = 0; g < map.groups; ++g)
            mean[g] *= share;
        sumGroups(map, inverse, [&](std::int64_t row, std::int64_t c) {
            const float centred = x[row * map.channels + c] - mean[groupOf(map, c)];
            return centred * centred;
        });
        for (std::int64_t g = 0; g < map.groups; ++g)
            inverse[g] = 1.0F / __builtin_sqrtf(inverse[g] * share + map.epsilon);
        for (std::int64_t c = 0; c < map.channels; c += stretch) {
            const std::int64_t width = smaller(map.channels - c, stretch);
            Sums scale = {};
            Sums shift = {};
            for (std::int64_t j = 0; j < width; ++j) {
                const std::int64_t g = groupOf(map, c + j);
                scale[j] = inverse[g] * map.gamma[c + j];
                shift[j] = map.beta[c + j] - mean[g] * scale[j];
            }
            scaleShiftRows(x + c, map.y + sample * block + c, map.rows, map.channels, width, scale, shift);
        }
    }
}

/// Per channel of one stretch: the statistics of its group.
struct GroupStatistics {
    Sums mean = {};
    Sums inverse = {};

    GroupStatistics(const NormalizationMap& map, std::int64_t sample, std::int64_t c, std::int64_t width) {
        for (std::int64_t j = 0; j < width; ++j) {
            const std::int64_t at = sample * map.groups + groupOf(map, c + j);
            mean[j] = map.mean[at];
            inverse[j] = map.inverseDeviation[at];
        }
    }
};

/// What one sample adds to dgamma and dbeta.
void groupPartials(const NormalizationGradientMap& map, std::int64_t sample) {
    const NormalizationMap& forward = map.forward;
    const std::int64_t channels = forward.channels;
    const float* x = forward.x + sample * forward.rows * channels;
    const float* dy = map.dy + sample * forward.rows * channels;
    float* dgamma = map.partial + sample * partialRows * channels;
    for (std::int64_t c = 0; c < channels; c += stretch) {
        const std::int64_t width = smaller(channels - c, stretch);
        const GroupStatistics statistics(forward, sample, c, width);
        Sums sums;
        sumRows(forward.rows, width, sums,
                [&](std::int64_t row, std::int64_t j) { return dy[row * channels + c + j]; });
        for (std::int64_t j = 0; j < width; ++j)
            dgamma[channels + c + j] = sums[j];
        sumRows(forward.rows, width, sums, [&](std::int64_t row, std::int64_t j) {
            const std::int64_t at = row * channels + c + j;
            return dy[at] * (x[at] - statistics.mean[j]) * statistics.inverse[j];
        });
        for (std::int64_t j = 0; j < width; ++j)
            dgamma[c + j] = sums[j];
    }
}

void groupGradient(const NormalizationGradientMap& map, std::int64_t begin, std::int64_t end) {
    const NormalizationMap& forward = map.forward;
    const std::int64_t channels = forward.channels;
    const std::int64_t block = forward.rows * channels;
    const float share = static_cast<float>(forward.groups) / static_cast<float>(block);
    for (std::int64_t sample = begin; sample < end; ++sample) {
        groupPartials(map, sample);
        const float* dgamma = map.partial + sample * partialRows * channels;
        float* groupSums = map.partial + (sample * partialRows + 2) * channels;
        for (std::int64_t g = 0; g < 2 * channels; ++g)
            groupSums[g] = 0;
        for (std::int64_t c = 0; c < channels; ++c) {
            groupSums[groupOf(forward, c)] += forward.gamma[c] * dgamma[channels + c] * share;
            groupSums[channels + groupOf(forward, c)] += forward.gamma[c] * dgamma[c] * share;
        }
        const float* x = forward.x + sample * block;
        const float* dy = map.dy + sample * block;
        float* dx = map.dx + sample * block;
        for (std::int64_t c = 0; c < channels; c += stretch) {
            const std::int64_t width = smaller(channels - c, stretch);
            const GroupStatistics statistics(forward, sample, c, width);
            Sums direct = {};
            Sums scaled = {};
            for (std::int64_t j = 0; j < width; ++j) {
                direct[j] = groupSums[groupOf(forward, c + j)];
                scaled[j] = groupSums[channels + groupOf(forward, c + j)];
            }
            eachRow(forward.rows, width, [&](std::int64_t row, std::int64_t j) {
                const std::int64_t at = row * channels + c + j;
                const float normal = (x[at] - statistics.mean[j]) * statistics.inverse[j];
                dx[at] =
                    statistics.inverse[j] * (dy[at] * forward.gamma[c + j] - direct[j] - normal * scaled[j]);
            });
        }
    }
}

void joinPartials(const NormalizationGradientMap& map, std::int64_t count) {
    const std::int64_t channels = map.forward.channels;
    for (std::int64_t j = 0; j < channels; ++j) {
        map.dgamma[j] = 0;
        map.dbeta[j] = 0;
    }
    for (std::int64_t i = 0; i < count; ++i) {
        const float* partial = map.partial + i * partialRows * channels;
#pragma GCC ivdep
        for (std::int64_t j = 0; j < channels; ++j) {
            map.dgamma[j] += partial[j];
            map.dbeta[j] += partial[channels + j];
        }
    }
}

} // namespace

const NormalizationKernels& normalizationKernels() {
    static constexpr NormalizationKernels kernels{
        batch, batchStatistics, batchMoving, batchGradientSums, batchGradientInput, batchMovingGradient,
        layer, layerGradient,   group,       groupGradient,     joinPartials};
    return kernels;
}

} // namespace simulator::KERNEL_VARIANT
