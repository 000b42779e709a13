import Foundation

/// What goes wrong in a step.
enum LifeFault {
  case none
  /// The program is killed at a call that changes a file.
  case killed
  /// A call fails; if it lasts, all later ones that can fail do too.
  case failed(Int32, lasts: Bool)
  /// The step is run twice.
  case doubled
  /// Another program carries out another step at the same time.
  case together

  init(using generator: inout SeededGenerator) {
    self =
      switch Int.random(in: 0..<100, using: &generator) {
      case ..<35: .none
      case ..<60: .killed
      case ..<70: .failed(ENOSPC, lasts: true)
      case ..<75: .failed(ENOSPC, lasts: false)
      case ..<80: .failed(EIO, lasts: true)
      case ..<87: .failed(EIO, lasts: false)
      case ..<93: .doubled
      default: .together
      }
  }

  var name: String {
    switch self {
    case .none: "whole"
    case .killed: "killed"
    case .failed(ENOSPC, _): "full disk"
    case .failed: "broken disk"
    case .doubled: "twice"
    case .together: "two at once"
    }
  }

  /// The arguments of `atrest-torture-worker fail`, for the call with a number.
  func arguments(at call: Int) -> [String]? {
    switch self {
    case .killed: ["\(call)", "0", "0", "0"]
    case .failed(let error, let lasts): ["0", "\(call)", "\(error)", lasts ? "1" : "0"]
    default: nil
    }
  }
}
