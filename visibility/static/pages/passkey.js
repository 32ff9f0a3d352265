// Ties the button of a passkey to allauth's script, and shows that it failed.
const button = document.getElementById("passkey")
const begin = window.allauth.webauthn.forms[button.dataset.passkey]
begin({ ids: { add: "passkey", authenticate: "passkey", credential: button.dataset.credential, data: "js_data" } })
document.addEventListener("allauth.error", (event) => {
  event.preventDefault()
  document.querySelector("[data-passkey-problem]").hidden = false
})
