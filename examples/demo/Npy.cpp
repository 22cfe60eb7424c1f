// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Npy.hpp"

#include "InputError.hpp"

#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <fstream>

namespace demo {
namespace {

static_assert(std::endian::native == std::endian::little, "read_npy copies little-endian numbers as they are");

struct Header {
  std::string item_type; ///< "<f4" or "<f8"
  bool fortran_order = false;
  std::array<std::size_t, 3> extent{};

  std::size_t item_bytes() const { return item_type == "<f4" ? 4 : 8; }
};

std::string read_bytes(std::ifstream& stream, const std::string& file, const std::string& what, std::size_t count)
{
  std::string bytes(count, '\0');
  stream.read(bytes.data(), static_cast<std::streamsize>(count));
  const auto got = static_cast<std::size_t>(stream.gcount());
  if (got != count)
    throw InputError(file, what, std::to_string(count) + " bytes", std::to_string(got) + " until the end of the file");
  return bytes;
}

/// The Python dictionary in front of the data, as text: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4, 5), }
std::string read_dictionary(std::ifstream& stream, const std::string& file)
{
  const std::string start = read_bytes(stream, file, "magic string", 8);
  if (start.compare(0, 6, "\x93NUMPY") != 0)
    throw InputError(file, "magic string", "\\x93NUMPY, with which every .npy file begins", "something else");
  const int version = static_cast<unsigned char>(start[6]);
  if (version < 1 || version > 3) throw InputError(file, "format version", "1, 2 or 3", std::to_string(version));

  const std::size_t width = version == 1 ? 2 : 4;
  const std::string bytes = read_bytes(stream, file, "header length", width);
  std::uint32_t length = 0;
  std::memcpy(&length, bytes.data(), width);
  constexpr std::uint32_t longest = 1 << 20; // NumPy pads to 64 bytes; a megabyte is no header but a damaged length
  if (length > longest)
    throw InputError(file, "header length", "at most " + std::to_string(longest), std::to_string(length));
  return read_bytes(stream, file, "header", length);
}

/// The text of one value of the dictionary: up to the comma or brace behind it, or the whole of a (tuple).
std::string item(const std::string& dictionary, const std::string& key, const std::string& file)
{
  const std::string place = "header item '" + key + "'";
  const std::size_t at = dictionary.find("'" + key + "'");
  const std::size_t colon = at == std::string::npos ? at : dictionary.find(':', at + key.size() + 2);
  const std::size_t begin = colon == std::string::npos ? colon : dictionary.find_first_not_of(" ", colon + 1);
  if (begin == std::string::npos) throw InputError(file, place, "an item of this name", "a header without it");
  const std::size_t end = dictionary.find_first_of(dictionary[begin] == '(' ? ")" : ",}", begin);
  if (end == std::string::npos) throw InputError(file, place, "a complete value", "the end of the header");
  std::string value = dictionary.substr(begin, end - begin);
  if (value.empty()) throw InputError(file, place, "a value", "nothing before the '" + dictionary.substr(end, 1) + "'");
  if (value.front() == '(') return value + ")";
  value.erase(value.find_last_not_of(" ") + 1);
  return value;
}

/// (n0, n1, n2) as Python writes a tuple: a comma between two extents, and one behind the last if it likes.
std::array<std::size_t, 3> shape(const std::string& tuple, const std::string& file)
{
  std::array<std::size_t, 3> extent{};
  const char* at = tuple.data();
  const char* const end = at + tuple.size();
  const auto skip_spaces = [&] {
    while (at != end && *at == ' ') ++at;
  };
  const auto take = [&](char mark) {
    skip_spaces();
    const bool is_there = at != end && *at == mark;
    at += is_there;
    return is_there;
  };
  const auto take_extent = [&](std::size_t& value) {
    skip_spaces();
    const auto [behind, error] = std::from_chars(at, end, value);
    at = behind;
    return error == std::errc() && value > 0;
  };
  bool is_shape = take('(');
  for (int axis = 0; axis < 3; ++axis) is_shape = is_shape && (axis == 0 || take(',')) && take_extent(extent[axis]);
  take(',');
  if (!is_shape || !take(')') || at != end)
    throw InputError(file, "header item 'shape'", "three extents of at least 1, as in (200, 200, 200)", tuple);
  return extent;
}

Header read_header(std::ifstream& stream, const std::string& file)
{
  const std::string dictionary = read_dictionary(stream, file);
  Header header;
  const std::string type = item(dictionary, "descr", file);
  if (type != "'<f4'" && type != "'<f8'") {
    const bool other_endian = type == "'>f4'" || type == "'>f8'";
    throw InputError(file, "header item 'descr'", "'<f4' or '<f8', little-endian float32 or float64",
                     type + (other_endian ? ", which is big-endian" : ""));
  }
  header.item_type = type.substr(1, 3);

  const std::string order = item(dictionary, "fortran_order", file);
  if (order != "True" && order != "False")
    throw InputError(file, "header item 'fortran_order'", "True or False", order);
  header.fortran_order = order == "True";
  header.extent = shape(item(dictionary, "shape", file), file);
  return header;
}

/// Bytes that the shape asks for, checked against what the file holds before anything of that size is allocated.
std::size_t data_bytes(std::ifstream& stream, const Header& header, const std::string& file)
{
  const auto here = stream.tellg();
  stream.seekg(0, std::ios::end);
  const auto held = static_cast<std::size_t>(stream.tellg() - here);
  stream.seekg(here);
  const auto [n0, n1, n2] = header.extent;
  const double asked = double(n0) * double(n1) * double(n2) * double(header.item_bytes());
  if (asked > double(held))
    throw InputError(file, "data",
                     std::to_string(n0) + " x " + std::to_string(n1) + " x " + std::to_string(n2) + " numbers of " +
                         std::to_string(header.item_bytes()) + " bytes",
                     std::to_string(held) + " bytes until the end of the file");
  return n0 * n1 * n2 * header.item_bytes();
}

template <class T>
Volume unpack(const std::string& bytes, const Header& header)
{
  Volume volume(header.extent);
  const auto [n0, n1, n2] = header.extent;
  const auto number = [&](std::size_t n) {
    T value;
    std::memcpy(&value, bytes.data() + n * sizeof(T), sizeof(T));
    return static_cast<float>(value);
  };
  for (std::size_t i = 0; i < n0; ++i)
    for (std::size_t j = 0; j < n1; ++j)
      for (std::size_t k = 0; k < n2; ++k)
        volume(i, j, k) = number(header.fortran_order ? i + n0 * (j + n1 * k) : (i * n1 + j) * n2 + k);
  return volume;
}

} // namespace

Volume read_npy(const std::string& file)
{
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw InputError(file, "", "a .npy file", "no file that can be opened");
  const Header header = read_header(stream, file);
  const std::string bytes = read_bytes(stream, file, "data", data_bytes(stream, header, file));
  return header.item_bytes() == 4 ? unpack<float>(bytes, header) : unpack<double>(bytes, header);
}

} // namespace demo
