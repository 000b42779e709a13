import Foundation

/// Returns the bytes of a file as they are stored.
func plainData(_ url: URL) throws -> Data {
  let handle = try FileHandle(forReadingFrom: url)
  defer { try? handle.close() }
  return try handle.readToEnd() ?? Data()
}
