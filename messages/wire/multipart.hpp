// Forms with files: multipart/form-data, RFC 7578.
#pragma once

#include <string>
#include <string_view>

namespace troupe {

/// The header of a field, before its bytes.
struct multipart_field {
  std::string name;
  std::string filename;   ///< "" where none was given
  std::string media_type; ///< as written; "" where none was given
  bool is_file = false;   ///< it has a file name, even an empty one
};

/// Gets the fields of a form, one after the other.
class multipart_reader {
public:
  virtual ~multipart_reader() = default;
  virtual void begin(multipart_field field) = 0; ///< a field
  virtual void take(std::string_view bytes) = 0; ///< its next bytes
  virtual void end() = 0;                        ///< it is complete
};

/// Returns the boundary in a Content-Type, without its quotes; "" if it is no form with files, or
/// has no boundary that RFC 2046 allows.
std::string form_boundary(std::string_view content_type);

/// Reads a form, for every way of cutting its bytes. Keeps at most a head of 16 KiB, or as much as
/// a boundary is long. Pure.
class multipart {
public:
  /// @param to outlives the object
  multipart(std::string_view boundary, multipart_reader& to);

  /// Reads on. Returns what is wrong: "" for nothing. After a fault nothing more is read.
  std::string_view feed(std::string_view bytes);

  /// Returns whether the form's end was there.
  bool is_over() const noexcept { return place_ == place::over; }

private:
  enum class place { before, border, head, body, over, broken };

  bool step();
  bool read_border();
  bool read_head();
  bool read_body();
  bool fail(std::string_view why);

  multipart_reader& to_;
  std::string border_; ///< "\r\n--" and the boundary
  std::string kept_;
  std::string_view rest_; ///< of kept_, while it is read
  std::string_view fault_;
  place place_ = place::before;
};

} // namespace troupe
