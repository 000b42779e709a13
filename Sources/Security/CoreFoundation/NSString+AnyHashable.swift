import Foundation

// On Apple's platforms, looking up a CFString in a dictionary with AnyHashable keys finds the value
// of the equal String. This extension makes the lookup work on other platforms.
// swift-format-ignore: AvoidRetroactiveConformances
extension NSString: @retroactive _HasCustomAnyHashableRepresentation {
  /// Returns the equal Swift string, as on Apple's platforms.
  public func _toCustomAnyHashable() -> AnyHashable? { AnyHashable(self as String) }
}
