import Foundation

/// The state of companion devices. Platforms other than Apple's have none.
///
/// Source: `LADomainState.h`, lines 34 to 71, of the SDK of iOS 18.
public final class LADomainStateCompanion: NSObject, Sendable {
  /// The kinds of companions that are paired with the device: none.
  public let availableCompanionTypes: Set<LACompanionType>

  init(availableCompanionTypes: Set<LACompanionType>) {
    self.availableCompanionTypes = availableCompanionTypes
  }

  /// Bytes that change when the paired companions change: nil, because there are none.
  public var stateHash: Data? { nil }
  /// Returns bytes that change when the paired companions of a kind change: nil.
  public func stateHash(for companionType: LACompanionType) -> Data? { nil }
}
