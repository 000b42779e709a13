/// The simulated devices of a process, as ``DefaultKeychain`` sees them. `AtRestSimulation` has the only
/// implementation, and a process without a simulated device has none.
package protocol SimulatedDevices: Sendable {
  /// The device that a closure uses for the whole process now, or nil.
  var sourceForProcess: DefaultKeychain.Source? { get }
  /// Returns the devices that run an application, if a call to a source uses none of them.
  func missed(by source: DefaultKeychain.Source?) -> [DefaultKeychain.Source]
}
