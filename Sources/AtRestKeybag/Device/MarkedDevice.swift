import AtRestCrypto
import Foundation

/// A device whose records are files, so that a changed record is noticed without reading it.
protocol MarkedDevice {
  func sight(of name: String) -> FileSight
}

extension FileDeviceKey: MarkedDevice {
  func sight(of name: String) -> FileSight { storage.sight(of: name) }
}

extension TPMDeviceKey: MarkedDevice {
  func sight(of name: String) -> FileSight { Self.storage(in: folder).sight(of: name) }
}
