# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# keramos_fetch(NAME VERSION v SHA256 hash URL url [POOL path] INSTALL text)
#
# Adds the project NAME from a source archive pinned by its hash. The archive is taken from Keramos_DOWNLOAD_DIR if it is
# there (which is also the way on machines without a network), else from the URL, else, on Debian and its relatives, from
# POOL under the mirrors that apt is configured with. INSTALL is what the error message says to install instead.
include_guard()
include(FetchContent)

set(Keramos_DOWNLOAD_DIR "${FETCHCONTENT_BASE_DIR}/downloads" CACHE PATH "Where fetched source archives are kept")

# The mirrors of apt's configuration; empty where there is no apt.
function(keramos_apt_sites result)
  set(sites "")
  find_program(Keramos_APT_GET apt-get)
  mark_as_advanced(Keramos_APT_GET)
  if(Keramos_APT_GET)
    execute_process(COMMAND ${Keramos_APT_GET} indextargets --format "$(SITE)"
      OUTPUT_VARIABLE sites ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
    string(REGEX REPLACE "/*\n" ";" sites "${sites}")
    list(REMOVE_DUPLICATES sites)
    list(FILTER sites INCLUDE REGEX "^https?://")
  endif()
  set(${result} "${sites}" PARENT_SCOPE)
endfunction()

# Puts the archive into the download directory, or ends with a message that says every way out.
function(keramos_download name archive)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "VERSION;SHA256;URL;POOL;INSTALL" "")
  if(EXISTS "${archive}")
    file(SHA256 "${archive}" found)
    if(found STREQUAL arg_SHA256)
      return()
    endif()
  endif()
  set(urls ${arg_URL})
  if(arg_POOL)
    keramos_apt_sites(sites)
    list(TRANSFORM sites APPEND "/${arg_POOL}" OUTPUT_VARIABLE mirrored)
    list(APPEND urls ${mirrored})
  endif()
  set(tried "")
  foreach(url IN LISTS urls)
    message(STATUS "Keramos: fetching ${name} ${arg_VERSION} from ${url}")
    file(DOWNLOAD "${url}" "${archive}.part" STATUS status INACTIVITY_TIMEOUT 60)
    list(POP_FRONT status code reason)
    if(code EQUAL 0)
      file(SHA256 "${archive}.part" found)
      if(found STREQUAL arg_SHA256)
        file(RENAME "${archive}.part" "${archive}")
        return()
      endif()
      set(reason "the file's SHA-256 is ${found}")
    endif()
    file(REMOVE "${archive}.part")
    message(STATUS "Keramos: not from there: ${reason}")
    string(APPEND tried "\n  ${url}: ${reason}")
  endforeach()
  message(FATAL_ERROR "Keramos needs ${name}, which was not found and could not be fetched:${tried}\n"
    "Either ${arg_INSTALL};\nor put the source archive of ${name} ${arg_VERSION} (SHA-256 ${arg_SHA256}) here:\n  ${archive}\n")
endfunction()

# A macro, so that the added project sees the options that the caller has set beside the call.
macro(keramos_fetch name)
  cmake_parse_arguments(fetch "" "VERSION;SHA256;URL;POOL;INSTALL" "" ${ARGN})
  string(TOUPPER ${name} fetch_upper)
  string(TOLOWER ${name} fetch_lower)
  set(fetch_archive "${Keramos_DOWNLOAD_DIR}/${fetch_lower}-${fetch_VERSION}.tar.gz")
  if(NOT FETCHCONTENT_SOURCE_DIR_${fetch_upper} AND NOT FETCHCONTENT_FULLY_DISCONNECTED)
    keramos_download(${name} "${fetch_archive}" VERSION ${fetch_VERSION} SHA256 ${fetch_SHA256} URL "${fetch_URL}"
      POOL "${fetch_POOL}" INSTALL "${fetch_INSTALL}")
  endif()
  if(POLICY CMP0135)
    cmake_policy(SET CMP0135 NEW)
  endif()
  set(CMAKE_POLICY_DEFAULT_CMP0077 NEW) # plain variables are enough to set a fetched project's options
  FetchContent_Declare(${name} URL "${fetch_archive}" URL_HASH SHA256=${fetch_SHA256})
  FetchContent_MakeAvailable(${name})
endmacro()
