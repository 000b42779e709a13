/// An object of another module that stands for a context, such as `LAContext`.
package protocol AuthenticationContextHolder: AnyObject {
  /// The simulated device on which the object was created, or nil if it was created on none.
  var source: DefaultKeychain.Source? { get }
  /// Returns the current context. An argument that is not nil overrides the object's own value.
  func authenticationContext(
    reason: String?, interaction: AuthenticationContext.Interaction?
  ) -> AuthenticationContext
}
