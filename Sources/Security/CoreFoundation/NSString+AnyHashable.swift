import Foundation

// On Apple's platforms a constant of type CFString finds what a dictionary with keys of type
// AnyHashable has under the equal String; without this it would not.
extension NSString: @retroactive _HasCustomAnyHashableRepresentation {
  /// The equal string of Swift's own, as on Apple's platforms.
  public func _toCustomAnyHashable() -> AnyHashable? { AnyHashable(self as String) }
}
