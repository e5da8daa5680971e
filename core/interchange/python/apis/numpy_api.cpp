// The names of NumPy: functions of numbers are computed, arrays are data.
#include "core/interchange/python/apis/api_catalogue.h"
#include "core/interchange/python/apis/data/array_functions.h"
#include "core/interchange/python/apis/data/constants/seeded_draws.h"
#include "core/interchange/python/apis/data/number_functions.h"
#include "core/interchange/python/apis/data/sample_folds.h"
#include "core/interchange/python/apis/files/array_files.h"

namespace core {

const PythonApiTable& numpyApi() {
    static const PythonApiTable api{{{"numpy", "np"}}, {"np"}, [] {
                                        std::vector<PythonApiName> names = numberFunctions("np.");
                                        for (PythonApiName& row : seedNames("np."))
                                            names.push_back(std::move(row));
                                        for (PythonApiName& row : arrayFileNames("np."))
                                            names.push_back(std::move(row));
                                        for (PythonApiName& row : arrayNames("np."))
                                            names.push_back(std::move(row));
                                        for (PythonApiName& row : foldNames())
                                            names.push_back(std::move(row));
                                        return names;
                                    }()};
    return api;
}

} // namespace core
