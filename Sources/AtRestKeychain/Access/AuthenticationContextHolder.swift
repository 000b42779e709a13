/// An object of another module that stands for a context, such as `LAContext`.
package protocol AuthenticationContextHolder: AnyObject {
  /// Returns the current context. The arguments override the object's own values.
  func authenticationContext(
    reason: String?, interaction: AuthenticationContext.Interaction?
  ) -> AuthenticationContext
}
