#include "apps/model/script/scripts.hpp"
#include "apps/model/scripted_model.hpp"

namespace troupe {

std::vector<script_info> scripts() {
  std::vector<script_info> out;
  for (const auto& row : scripted::all_scripts())
    out.push_back({std::string{row.name}, std::string{row.description}});
  return out;
}

bool is_script(std::string_view name) {
  return scripted::find_script(name).row != nullptr;
}

} // namespace troupe
