import AtRestKeybag
import Foundation

/// A machine: the folder with its store, its device key and its user's data.
struct Place {
  let folder: URL
  private let tpm: String?

  init(_ path: String, tpm: String?) {
    folder = URL(fileURLWithPath: path)
    self.tpm = tpm
  }

  var store: URL { folder.appendingPathComponent("store") }
  var device: URL { folder.appendingPathComponent("device") }
  var data: URL { folder.appendingPathComponent("data") }
  var vault: URL { data.appendingPathComponent("vault") }
  func file(_ name: String) -> URL { data.appendingPathComponent("files/\(name)") }
  func envelope(_ name: String) -> URL { data.appendingPathComponent("envelopes/\(name)") }
  func stamped(_ name: String) -> URL { data.appendingPathComponent("stamped/\(name)") }
  func database(_ name: String) -> URL { data.appendingPathComponent("\(name).db") }

  /// The location, with this machine's TPM.
  var location: StoreLocation {
    if let tpm { setenv("ATREST_TPM", tpm, 1) } else { unsetenv("ATREST_TPM") }
    return StoreLocation(store: store.path, device: device.path)
  }

  /// Returns the names of the files in a folder that users gave them. Others are parts of writes that
  /// were interrupted, or files beside files.
  static func names(in folder: URL) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.allSatisfy { $0.isLetter || $0.isNumber } }.sorted()
  }
}
