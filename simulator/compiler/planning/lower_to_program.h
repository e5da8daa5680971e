#pragma once

#include "simulator/program/lowered_pipeline.h"

#include <vector>

namespace simulator {

/// Makes the programs of every stage: the steps of its operations in their order, and between them what moves
/// data on the IPU and from streaming memory:
/// - a stage's FIFOs push at the end of its forward program and pop at the start of the recomputation or
///   backward program that reads them (remote ones store and load);
/// - copies to a neighbouring stage on the same IPU follow the program that makes the value;
/// - offloaded weights are loaded where a program uses them, accumulators loaded and stored with each
///   backward program, optimizer slots and accumulators with the weight update.
///
/// With batch serialisation a program loops over its micro-batches, and what crosses between programs comes
/// from and goes to buffers; weights and accumulators are loaded outside the loop.
///
/// In a Sequential training pipeline the last forward stage is merged into the last backward stage.
[[nodiscard]] std::vector<StagePrograms> lowerToProgram(const OrderedGraph& ordered,
                                                        const Deployment& deployment);

} // namespace simulator
