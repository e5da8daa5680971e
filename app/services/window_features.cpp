#include "app/services/window_features.h"

namespace app {

namespace {

Feature shown(std::string_view id, std::string_view title, std::initializer_list<std::string_view> tests) {
    Feature feature{id, title, {}};
    for (const std::string_view test : tests)
        feature.evidence.push_back({FeatureEvidence::Kind::Test, test});
    return feature;
}

} // namespace

std::vector<Feature> windowFeatures() {
    return {
        shown("1", "Layers dragged from a palette by category",
              {"views/inspector/inspector_view:thePaletteFiltersAndGivesClassesToDrag"}),
        shown("2", "Layers added by typing their name",
              {"views/graph/graph_view:quickAddBuildsOnTheSelection"}),
        shown("3", "A line drawn from a port connects",
              {"views/graph/graph_view:aLineFromPortToPortConnects"}),
        shown("5", "Undo and redo of every edit, properties and stages included",
              {"views/document/document:undoingManyEditsGivesBackTheVerySameSnapshots"}),
        shown("6", "Copy and paste with the lines among the copies",
              {"views/graph/graph_view:copyAndPasteBringTheLinesAmongThemAlong"}),
        shown("7", "Select by click, Ctrl+click and rubber band; delete several",
              {"views/graph/graph_view:aClickSelectsAndControlClickAdds",
               "views/graph/graph_view:aRubberBandSelectsWhatItTouches",
               "views/graph/graph_view:deleteRemovesAndUndoBringsBack"}),
        shown("8", "Attributes of several layers changed together",
              {"views/inspector/inspector_view:severalLayersOfOneClassAreChangedTogether"}),
        shown("9", "Layers arranged by themselves, the same each time",
              {"views/graph/layered_layout:randomGraphsAreSoundAndAlwaysTheSame"}),
        shown("10", "Groups that collapse and expand",
              {"views/graph/canvas_model_builder:collapsingIsRemembered"}),
        shown("12", "Shapes on the canvas as the model changes",
              {"views/graph/canvas_model_builder:callsCarryStagesShapesAndAttributes"}),
        shown("13", "Findings at their layer, with a jump and a mend",
              {"views/diagnostics/diagnostics_view:aProblemJumpsAndIsMendedInOneClick"}),
        shown("14", "Parameters and FLOPs of a layer, explained",
              {"views/inspector/inspector_view:theFlopsOfADenseLayerExplainThemselves"}),
        shown("19", "Stages assigned by dragging cut lines and layers",
              {"views/graph/graph_view:draggingTheGripMovesTheCutAndPreviewsOnTheWay",
               "views/graph/graph_view:draggingALayerToAnotherColumnChangesItsStage"}),
        shown("20", "Layers coloured and placed by stage",
              {"views/graph/stage_layout:boxesStandInTheColumnOfTheirStage"}),
        shown("23", "A balanced split solved and applied", {"app/main_window:solvesASplitAndAppliesIt"}),
        shown("27", "Every option of pipeline, training and system in forms",
              {"views/inspector/inspector_view:everyOptionOfThePipelineCanBeSetAndPutBack",
               "views/inspector/inspector_view:everySettingRowSurvivesItsOwnDefault"}),
        shown("35", "Progress and Cancel while the window stays live",
              {"app/main_window:aCancelledRunLeavesNoCompleteRun"}),
        shown("40", "Zoom and pan by keys and mouse",
              {"views/timeline/timeline_view:keysZoomAndPanAndFit",
               "views/timeline/timeline_view:theWheelScrollsLanesAndOnlyControlZooms"}),
        shown("42", "An area of time and lanes with its sums",
              {"views/timeline/timeline_view:draggingInTheLanesMakesAnAreaThatSums"}),
        shown("43", "A selected time narrows the other views",
              {"views/program/program_view:aSelectedTimeNarrowsTheOperations"}),
        shown("44", "Markers, temporary and kept", {"views/timeline/timeline_view:markersStandAndGo"}),
        shown("46", "A micro-batch followed across IPUs",
              {"views/timeline/timeline_view:aClickSelectsTheSpanAndFollowsItsMicroBatch",
               "views/plan/schedule_view:keysGoAlongIpusAndMicroBatches"}),
        shown("48", "Events searched, hits cycled", {"views/timeline/timeline_view:searchFindsAndCycles"}),
        shown("58", "Live memory over the program with its peak",
              {"views/liveness/liveness_view:startsAtThePeakOfTheFullestIpu"}),
        shown("60", "Lifetimes as rectangles that do not overlap",
              {"views/liveness/liveness_view:blocksThatLiveTogetherDoNotOverlap"}),
        shown("61", "Live tensors at the peak, one selection with their rectangles",
              {"views/liveness/liveness_view:aRowAndItsRectangleAreOneSelection"}),
        shown("62", "Several steps side by side with their difference",
              {"views/liveness/liveness_view:aClickFreezesAStepAndShiftAddsOne"}),
        shown("65", "Tiles of an IPU as a map",
              {"views/tiles/tiles:theGridHoldsEveryTileOnce", "views/tiles/tiles:theTableSumsToTheTile"}),
        shown("70", "15 000 allocations stay fast", {"views/liveness/liveness_view:manyAllocationsStayFast"}),
        shown("71", "The program as a tree, loops with their counts",
              {"views/program/program_view:theTreeIsAProperModel",
               "views/program/program_view:aRepeatCountsItsChildren"}),
        shown("72", "Operations sorted, filtered, summed",
              {"views/program/program_view:theTableSortsFiltersAndSums"}),
        shown("74", "A layer chosen anywhere stands out everywhere",
              {"views/program/program_view:choosingAnOperationSelectsItsLayerEverywhere",
               "views/timeline/timeline_view:selectingALayerMakesItsProgramsStandOut"}),
        shown("78", "Runs aligned by step or micro-batch",
              {"views/comparison/comparison_view:timelinesShareOneAxisAndAlignByMicroBatch"}),
        shown("81", "Throughput against memory of all runs, with their frontier",
              {"views/comparison/comparison_view:theFrontierIsWhatNoRunBeats"}),
        shown("83", "Advice ranked by its simulated gain", {"app/main_window:adviceHoldsWhatItPromises"}),
        shown("105", "10 000 boxes laid out in one go",
              {"views/graph/layered_layout:tenThousandBoxesWithShortcutsAreLaidOutInOneGo"}),
        shown("106", "Painting does not grow with the trace",
              {"views/timeline/timeline_picture:paintingDoesNotGrowWithTheTrace"}),
        shown("109", "Light, dark and high contrast, safe for every kind of vision, followed from the system",
              {"views/common/theme:coloursStayApartInEveryKindOfVision",
               "app/system_scheme:theProgramFollowsUntilThePersonChooses"}),
        shown("111", "Examples open in one click and stay as they are",
              {"app/main_window:opensEveryExampleWithoutChangingIt"}),
        shown("115", "Theme, units and docks remembered", {"app/main_window:remembersThemeUnitsAndDocks"}),
        shown("N1", "A dragged cut line shows its estimate on the way",
              {"views/graph/graph_view:draggingTheGripMovesTheCutAndPreviewsOnTheWay"}),
        shown("N9", "What does not fit says by how much",
              {"app/main_window:aPlanThatDoesNotFitIsAProblemWithItsFigures"}),
    };
}

} // namespace app
