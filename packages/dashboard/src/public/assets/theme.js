// Before anything is painted: the theme that this browser was told to use. Without one, the system's.
try {
  var theme = localStorage.getItem('docent-theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be forbidden: the system's theme it is.
}
