// Uploaded files of a data folder, for programs that copy them.
#pragma once

#include <memory>
#include <string>

#include "messages/store/file_shelf.hpp"

namespace troupe {

/// Opens the uploaded files of a data folder that no server uses. Makes their folder if it is not
/// there. @param data the data folder @return a shelf whose calls say what is wrong with it
std::unique_ptr<file_shelf> open_folder_files(const std::string& data);

} // namespace troupe
