#include "app/services/feature_table.h"

#include "app/services/window_features.h"

#include <algorithm>
#include <charconv>

namespace app {

namespace {

constexpr FeatureEvidence command(std::string_view text) {
    return {FeatureEvidence::Kind::Command, text};
}

constexpr FeatureEvidence project(std::string_view file) {
    return {FeatureEvidence::Kind::Project, file};
}

constexpr FeatureEvidence test(std::string_view name) {
    return {FeatureEvidence::Kind::Test, name};
}

// Parts of the programming system.
std::vector<Feature> systemFeatures() {
    return {
        {"P1",
         "Keras Sequential on one IPU: train, evaluate, predict",
         {command("run projects/tutorial/2-single-sequential.ipuproj --database runs.sqlite"),
          command("run projects/accumulation/accumulation.ipuproj --mode evaluate --database runs.sqlite"),
          test("app/projects:theTutorialLearns"),
          test("simulator/engine/training:theMlpOracleHoldsThroughAPipeline")}},
        {"P2",
         "Keras Functional: several inputs and outputs, shared layers, nested models",
         {project("tutorial/1-single-functional.ipuproj"),
          test("core/interchange/keras_files:everyFileGivesTheExpectedFacts"),
          test("simulator/compiler/"
               "build_training_graph:aLayerCalledTwiceHasOneParameterAndAPartOfTheGradientPerCall")}},
        {"P3",
         "steps_per_execution: batches per execution, host round trips, divisibility",
         {command("run projects/tutorial/4-pipelined-sequential.ipuproj --set "
                  "training.steps_per_execution=20 --database "
                  "runs.sqlite"),
          test("core/project/run_figures:countsFollowFromBatchStepsAndReplicas"),
          test("core/project/validate:refusesSteps")}},
        {"P4",
         "Gradient accumulation: count, element type, reduction, effective batch",
         {project("accumulation/accumulation.ipuproj"),
          command("run projects/accumulation/accumulation.ipuproj --set "
                  "pipeline.gradient_accumulation_reduction_method=mean --database runs.sqlite"),
          test("simulator/engine/training:aPipelineTrainsLikeTheModelWithoutStages")}},
        {"P5",
         "Pipelined Sequential: the stage list and each of its errors",
         {project("tutorial/4-pipelined-sequential.ipuproj"), test("app/pipelining_errors:refuses")}},
        {"P6",
         "Pipelined Functional: a stage per call in post-order; ResNet-50 split at conv4_block2_add",
         {project("resnet50/resnet50.ipuproj"), test("app/projects:resnetIsCutAtTheTutorialsLayer"),
          test("core/plan/stage_assignment_json:listsTheCallsInPostOrderWithNestedModelsOpened")}},
        {"P7",
         "Stage assignment summary",
         {command("summary projects/tutorial/3-pipelined-functional.ipuproj"),
          test("core/plan/stage_summary_table:printsAFunctionalModelWithFurtherInputsBelow")}},
        {"P8",
         "Schedules Grouped, Interleaved, Sequential, slot by slot",
         {command("schedule --stages 2 --micro-batches 4"),
          command("schedule --stages 4 --micro-batches 8 --schedule Interleaved --recompute Auto"),
          test("simulator/schedule/schedule_table:groupedTrainsWithTheFewestMicroBatches")}},
        {"P9",
         "Recomputation: modes, checkpoints, allow_recompute",
         {command("run projects/encoder/encoder.ipuproj --no-numerics --set ipu_config.allow_recompute=true "
                  "--database "
                  "runs.sqlite"),
          test("simulator/compiler/compile_graph:recomputationTradesTimeForMemory"),
          test("simulator/compiler/staging:checkpointsAreKeptAndCutTheRecomputation")}},
        {"P10",
         "Offloading to remote memory and sharding over replicas",
         {command("run projects/replicas/replicas.ipuproj --no-numerics --set "
                  "pipeline.offload_activations=true --database "
                  "runs.sqlite"),
          test("simulator/compiler/compile_graph:offloadedActivationsLeaveTheTilesAndTakeTime"),
          test("core/project/validate:refusesOffloadingWithoutRemoteMemory")}},
        {"P11",
         "device_mapping, shared weights, pass-through tensors",
         {command("run projects/tutorial/4-pipelined-sequential.ipuproj --no-numerics --set "
                  "pipeline.device_mapping=[1,0] "
                  "--database runs.sqlite"),
          test("simulator/compiler/compile_graph:stagesThatShareAVariableMayStandOnOneIpu"),
          test("simulator/compiler/"
               "staging:aSkippedStageOnTheSameIpuIsAFifoWhenGroupedAndNothingWhenSequential")}},
        {"P12",
         "batch_serialization_iterations, repeat_count, accumulate_outfeed, outfeed_mask, outfeed_loss",
         {test("app/programming_system:p12SerialisesRepeatsAndShapesTheOutfeed"),
          test("simulator/engine/pipeline_options:aSerialisedBatchIsALoopInEveryStage"),
          test("simulator/engine/pipeline_options:theRepeatCountIsALoopOfWholePipelines"),
          test("simulator/engine/pipeline_options:theOutfeedCarriesWhatTheOptionsSay"),
          test("simulator/engine/pipeline_options:anAccumulatedOutfeedGoesOncePerUpdateInItsType")}},
        {"P13",
         "Poplar options per stage",
         {test("simulator/compiler/compile_graph:optionsOfAStageChangeItsPlansAlone")}},
        {"P14",
         "Automatic data parallelism: replication factor, all-reduce, effective batch",
         {project("replicas/replicas.ipuproj"),
          test("simulator/engine/training:replicasTrainLikeOneWithTheirWholeBatch"),
          test("core/project/run_figures:countsFollowFromBatchStepsAndReplicas")}},
        {"P15",
         "Callbacks: synchronous and asynchronous timing",
         {test("simulator/engine/callback_timing:synchronousOnesFrameTheExecution"),
          test("simulator/engine/callback_timing:asynchronousOnesComeInPairsForEveryStepAndReplica"),
          test("simulator/engine/callback_timing:theRecordedRunTellsWhichStepEachCallSaw"),
          test("views/training/training_view:synchronousCallbacksComeOncePerExecution"),
          test("views/training/training_view:asynchronousCallbacksComeForEveryStepAndReplica")}},
        {"P16",
         "IPUConfig: every option with type, default, meaning, and what it changes",
         {command("config matmuls.poplar_options"),
          test("core/config/ipu_config_table:holdsEveryOptionOfThePythonApi"),
          test("app/ipu_config_effects:changesAFigure")}},
        {"P17",
         "Devices: listing, selection, selection orders and their hops",
         {command("devices --ipus 16"),
          test("core/plan/device_listing:selectsByIdAndRefusesRepeatedAndUnknownOnes"),
          test("simulator/target/selection_order:snakeAndHoofStepOneHopAndZigzagAlternates")}},
        {"P18",
         "Infeeds and outfeeds: prefetch depth, buffer depth, modes, host stalls in the timeline",
         {test("app/programming_system:p18FeedsWaitForTheHost"),
          test("simulator/engine/pipeline_options:withoutPrefetchingEveryMicroBatchWaitsForTheHost"),
          test("simulator/engine/pipeline_options:aDeeperQueueHidesMoreOfASlowHost"),
          test("simulator/engine/pipeline_options:aFullOutfeedBufferStopsTheDevice")}},
        {"P19",
         "Dataset and infeed benchmark: statistics per epoch",
         {command("benchmark-dataset projects/tutorial/4-pipelined-sequential.ipuproj --epochs 2 "
                  "--elements 500 --json"),
          test("app/programming_system:p19MeasuresADatasetPerEpoch")}},
        {"P20",
         "Keras layers of the IPU: Dropout, Embedding, normalisations by group, instance and layer, GRU, "
         "LSTM, "
         "RecomputationCheckpoint",
         {test("app/programming_system:p20TrainsTheKerasLayersOfTheIpu"),
          test("simulator/engine/catalogue_layers:everyLayerIsTrainedOrRefusedForAReason"),
          test("simulator/numerics/oracles:resultsAgreeWithOtherPrograms")}},
        {"P21",
         "Popnn and popops operations: activations, softmax, products and lookups in pieces, connectionist "
         "temporal classification, convolutions side by side, sampled losses, slices of sequences, "
         "histograms, images, dropout",
         {test("app/programming_system:p21ComputesAndPricesTheOperations"),
          test("simulator/numerics/oracles:resultsAgreeWithOtherPrograms"),
          test("simulator/numerics/sampled_losses:gradientsAgreeWithDifferences"),
          test("simulator/numerics/function_layers:convolutionsSideBySideAreThoseByThemselves"),
          test("simulator/numerics/function_layers:slicesAreUnpackedAndPackedByTheirOffsets")}},
        {"P22",
         "Recurrent operations: GRU, DynamicGRU, AUGRU, LSTM, reset_after, activations",
         {test("app/programming_system:p22TrainsRecurrentOperations"),
          test("simulator/numerics/operation_gradients:gradientsAgreeWithCentralDifferences"),
          test("simulator/engine/pipeline_options:recurrentLayersAreLoopsOverTheirTimeSteps")}},
        {"P23",
         "Replica operations: all_gather, all_to_all, cross_replica_sum, reduce_scatter with every operator, "
         "replication_index, assume_equal, groups",
         {test("app/programming_system:p23ReplicasExchangeTensors"),
          test("simulator/numerics/collectives:everyReplicaGetsTheCombination"),
          test("simulator/numerics/collectives:scatterGatherAndAllToAllMoveTheRightPieces"),
          test("simulator/numerics/collectives:groupsStayApart")}},
        {"P24",
         "Host embedding: lookup, SGD with and without accumulation, partition by token or encoding",
         {test("app/programming_system:p24RowsComeFromTheHost"),
          test("simulator/engine/host_embedding:learnsAsAnEmbeddingOnTheDeviceDoes"),
          test("simulator/engine/host_embedding:accumulatesGradientsAsTheModelDoes"),
          test("simulator/engine/host_embedding:theTableTakesNoMemoryOfTheDevice"),
          test("simulator/engine/host_embedding:remoteBuffersAreNearerThanTheHost")}},
        {"P25",
         "Custom operations: element-wise expressions, functions of a user's shared library, outlined "
         "functions",
         {test("app/programming_system:p25ComputesWhatUsersWrite"),
          test("simulator/compiler/ipu_operations:expressionsFollowTheUsualOrder"),
          test("simulator/numerics/user_operation:theExampleComputes"),
          test("simulator/numerics/user_operation:aLibraryThatMisbehavesIsRefusedWithTheReason"),
          test("simulator/engine/outlined_function:computesWhatItsLayerDoes"),
          test("simulator/engine/outlined_function:callsShareTheirCodeAndCopyTheirArguments")}},
        {"P26",
         "Optimizers of Keras, and the wrappers: gradient accumulation, cross replica, both, sharded",
         {test("app/programming_system:p26OptimizersAndTheirWrappers"),
          test("simulator/numerics/optimizers:updatesFollowTheFormulas"),
          test("core/interchange/python_program:readsShardsAndOptimizersThatWrapOthers")}},
        {"P27",
         "Sharding without pipelining: a shard per layer, idle IPUs, compared with a pipeline",
         {project("sharding/sharding.ipuproj"),
          command("run projects/sharding/sharding.ipuproj --database runs.sqlite"),
          test("simulator/engine/sharding:oneIpuWorksWhileTheOthersWait"),
          test("simulator/engine/sharding:aPipelineOnTheSameIpusIsFasterAndKeepsMore"),
          test("simulator/engine/sharding:aShardedModelTrainsLikeOneOnOneIpu")}},
        {"P28",
         "Loops: repeat, while with a maximum, in the program tree",
         {test("app/programming_system:p28LoopsStandInTheProgramTree"),
          test("simulator/engine/pipeline_options:recurrentLayersAreLoopsOverTheirTimeSteps"),
          test("simulator/engine/pipeline_options:theRepeatCountIsALoopOfWholePipelines"),
          test("views/program/program_view:aRepeatCountsItsChildren")}},
        {"P29",
         "Estimator-like runs: modes, iterations per loop, checkpoints, warm start, logs",
         {test("app/programming_system:p29TrainsEvaluatesPredictsAndWarmStarts"),
          test("simulator/engine/training_files:savedWeightsAreTheWeightsOfTheNextRun"),
          test("simulator/engine/training_files:checkpointsAreNamedByEpochAndMetric"),
          test("simulator/engine/training_files:theLogHasARowPerEpoch")}},
        {"P30",
         "Distribution: processes × local replicas, what is reduced where, its cost",
         {test("app/programming_system:p30ProcessesShareTheReplicas"),
          test("simulator/engine/pipeline_options:replicasOfSeveralMachinesReduceAcrossThem"),
          test("simulator/engine/pipeline_options:aProcessShardsOverItsOwnReplicas")}},
        {"P31",
         "Connection types and executables",
         {test("app/programming_system:p31ConnectsAsItIsTold"),
          test("app/compile_verb:anExecutableRunsAsTheProjectDoes"),
          test("app/compile_verb:whatNeverAttachesCanBeCompiled"),
          test("app/compile_verb:whatIsCompiledWithoutADeviceRunsWhereOneAttaches"),
          test("app/compile_verb:theListingSaysHowAProjectAttaches"),
          test("app/run_verbs:refusesToRunWithoutADevice")}},
        {"P32",
         "Floating point: exceptions, stochastic rounding, partials, loss scaling",
         {test("app/programming_system:p32StopsWhereNumbersBreak"),
          test("simulator/numerics/float16:stochasticRoundingIsRightOnAverage"),
          test("simulator/numerics/float16:tooLargeNumbersAreInfiniteOrSaturate"),
          test("simulator/engine/training:theFirstNanIsNamedByLayerAndMicroBatch")}},
        {"P33",
         "Scheduling algorithms and their liveness",
         {command("compare --schedulers projects/encoder/encoder.ipuproj"),
          test("simulator/compiler/compare_algorithms:everyAlgorithmGivesALivenessOfTheSameProgram"),
          command("run projects/encoder/encoder.ipuproj --no-numerics --set "
                  "ipu_config.scheduling.algorithm=LOOK_AHEAD "
                  "--database runs.sqlite"),
          test("simulator/compiler/ordering_algorithm:chooseBestIsAsGoodAsItsBestCandidate")}},
        {"P34",
         "Optimizations: fused lookups and products, outlining, merged copies, buffers of collectives and "
         "copies, "
         "remote buffers, fast math",
         {test("app/programming_system:p34OptimizationsChangeFigures"),
          test("app/ipu_config_effects:changesAFigure"),
          test("simulator/engine/pipeline_options:gradientsWaitForOneAnotherUpToTheBuffer"),
          test("simulator/engine/sharding:copiesWaitForOneAnotherUpToTheBuffer")}},
        {"P35",
         "Norm options, I/O tiles, IPU Model options",
         {command("config ipu_model.version"), test("app/programming_system:p35NormsIoTilesAndVersions"),
          test("simulator/engine/shared_statistics:aGroupTrainsAsOneReplicaWithTheWholeBatch"),
          test("simulator/engine/shared_statistics:eachPassAllReducesTwoNumbersPerChannel"),
          test("simulator/engine/pipeline_options:ioTilesHideTheHostBehindTheWork"),
          test("simulator/target/target_catalogue:knowsTheThreeTargets")}},
        {"P36",
         "Reports: profiles of device, IPUs or tiles",
         {command(
              "run projects/tutorial/4-pipelined-sequential.ipuproj --profile tile --database runs.sqlite"),
          test("simulator/engine/record_simulation:levelsAddUp")}},
        {"P37",
         "Graph and eager execution side by side",
         {command("compare --execution projects/tutorial/2-single-sequential.ipuproj"),
          test("simulator/engine/program_alternatives:eagerExecutionStartsAProgramPerOperation")}},
        {"P38",
         "Porting: Python programs of both API generations, written and read",
         {command("export projects/tutorial/4-pipelined-sequential.ipuproj --format python --api 2.1"),
          command("export projects/tutorial/4-pipelined-sequential.ipuproj --format python --api 2.4"),
          test("core/interchange/python_program:everyExampleComesBack"),
          test("core/interchange/python_program:datasetsOfEveryKindAreWritten"),
          test("core/interchange/python_program:readsTheOlderClassesAndFunctions")}},
        {"P39",
         "Synthetic data by category, seeds, identical replicas",
         {test("app/programming_system:p39SeedsDecideAndReplicasAgree"),
          test("simulator/engine/pipeline_options:syntheticDataNeverCrossesToOrFromTheHost"),
          test("simulator/engine/training:replicasTrainLikeOneWithTheirWholeBatch"),
          test("simulator/engine/training:twoThreadsGiveTheBytesOfOne")}},
        {"P40",
         "The tutorial's five programs",
         {project("tutorial/5-interleaved.ipuproj"), test("app/projects:keepsItsPromise")}},
    };
}

// What a person can do at the workbench.
std::vector<Feature> workbenchFeatures() {
    return {
        {"17",
         "Opaque layers with declared shapes and cost",
         {test("simulator/compiler/"
               "build_training_graph:anOpaqueLayerIsPricedWhenItsCostIsDeclaredAndRefusedOtherwise")}},
        {"22",
         "Manual non-uniform split accepted and validated",
         {command("run projects/tutorial/4-pipelined-sequential.ipuproj --no-numerics --set "
                  "pipeline.stages=[0,0,0,0,0,1] "
                  "--database runs.sqlite")}},
        {"25",
         "Lock layers to stages, then solve the rest",
         {command("plan projects/tutorial/4-pipelined-sequential.ipuproj --stages 2 --lock dense64=0 "
                  "--alternatives 2"),
          test("simulator/planner/stage_partition:equalsBruteForceWithLocks")}},
        {"26",
         "Stage to IPU mapping, shared weights on one IPU",
         {test("simulator/compiler/compile_graph:stagesThatShareAVariableMayStandOnOneIpu")}},
        {"29",
         "Run on an embedded model, without hardware or SDK",
         {command("run projects/tutorial/4-pipelined-sequential.ipuproj --database runs.sqlite")}},
        {"30",
         "Schedules Grouped, Interleaved, Sequential",
         {project("tutorial/5-interleaved.ipuproj"),
          test("views/plan/schedule_view:anotherScheduleIsLookedAtAndThenTaken"),
          test("simulator/schedule/schedule_catalogue:everyScheduleIsCompleteAndTrueToItsDependencies")}},
        {"33",
         "Unequal times per stage from the drawn model",
         {test("simulator/engine/update_timing:aSlowerStageMakesTheOthersWaitAndIsBlamed")}},
        {"34",
         "Inter-IPU links and host I/O, exposed time reported",
         {test("simulator/engine/update_timing:exchangeAndSyncFollowEverySlotAndAreTransferTime"),
          test("simulator/engine/update_timing:hostTimeIsExposedUnlessPrefetchedAndOverlapped")}},
        {"36",
         "Deterministic: same project and seed, same result",
         {test("app/run_verbs:answersTheSameTwice"),
          test("simulator/engine/run:theSameProjectGivesTheSameRecords")}},
        {"38", "What does not fit is profiled to the end", {project("too-large/too-large.ipuproj")}},
        {"39",
         "Predicted against reference, row by row",
         {test("simulator/planner/calibration:theProgramBringsThePublishedRows")}},
        {"57",
         "Pictures of a view: SVG, PNG, PDF",
         {command("render last --database runs.sqlite --view timeline -o timeline.svg"),
          test("app/render_verb:everyViewOfARunHasAPicture")}},
        {"66", "Memory by category", {command("show last --database runs.sqlite --json")}},
        {"69",
         "Stash of in-flight micro-batches per stage",
         {test("app/projects:interleavedStashesLessThanGrouped")}},
        {"76",
         "Compare two runs with signed differences",
         {command("compare 1 last --database runs.sqlite"),
          test("core/profile/queries:identicalRunsDifferInNothing")}},
        {"77",
         "Compare more than two runs against a baseline",
         {command("compare 1 2 3 --baseline 2 --database runs.sqlite")}},
        {"79",
         "Differences of model, options and stages",
         {test("core/profile/queries:projectsDifferByOptionAndLayer")}},
        {"80",
         "Thresholds with exit codes",
         {command("check projects/tutorial/4-pipelined-sequential.ipuproj --max-peak-fraction 0.9"),
          test("app/run_verbs:checksThresholds")}},
        {"85",
         "Idle time by cause, per IPU",
         {command("sql \"SELECT * FROM v_idle\" --database runs.sqlite"),
          test("simulator/engine/update_timing:workAndIdleFillTheUpdateExactlyOnEveryIpu")}},
        {"91",
         "Queries in SQL over runs",
         {command("sql \"SELECT stage, ipu FROM v_stage_summary ORDER BY stage\" --database runs.sqlite"),
          test("core/profile/queries:sqlOnlyReads")}},
        {"92",
         "Import Keras JSON, .keras and .h5",
         {test("core/interchange/keras_files:everyFileGivesTheExpectedFacts")}},
        {"95",
         "Export a Chrome trace that Perfetto reads",
         {command("export last --database runs.sqlite --format chrome-trace -o trace.json"),
          test("core/profile/queries:theTraceHasNoOverlapAndConnectedFlows")}},
        {"97",
         "Every table as CSV, from the window too",
         {command("export last --database runs.sqlite --format csv --table operations -o operations.csv"),
          test("core/profile/queries:everyTableExportsAsCsv"),
          test("app/exports:aRunIsWrittenInEveryFormatOfTheBatch")}},
        {"100",
         "Run a project from the command line, with the window's engine",
         {command("run projects/tutorial/4-pipelined-sequential.ipuproj --database runs.sqlite --json")}},
        {"101",
         "JSON on stdout, diagnostics on stderr, documented exit codes",
         {test("app/batch:answersUsageErrorsWithTwo"), test("app/batch:answersTroubleWithFilesWithFour")}},
        {"102",
         "Progress on a terminal only; --quiet; NO_COLOR",
         {test("app/batch:showsProgressInOneLineOfATerminal"),
          test("app/batch:coloursOnlyATerminalThatWantsIt")}},
    };
}

/// The place of a row in the list: P rows, numbers, N rows.
std::pair<int, int> orderOf(std::string_view id) {
    const int part = id.front() == 'P' ? 0 : id.front() == 'N' ? 2 : 1;
    int number = 0;
    const std::string_view digits = part == 1 ? id : id.substr(1);
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return {part, number};
}

} // namespace

std::span<const Feature> featureTable() {
    static const std::vector<Feature> table = [] {
        std::vector<Feature> rows = systemFeatures();
        for (const auto& more : {workbenchFeatures(), windowFeatures()})
            rows.insert(rows.end(), more.begin(), more.end());
        std::ranges::stable_sort(rows, {}, [](const Feature& row) { return orderOf(row.id); });
        return rows;
    }();
    return table;
}

std::string_view toString(FeatureEvidence::Kind kind) {
    switch (kind) {
    case FeatureEvidence::Kind::Command:
        return "command";
    case FeatureEvidence::Kind::Project:
        return "project";
    case FeatureEvidence::Kind::Test:
        return "test";
    }
    return "";
}

} // namespace app
